import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { openService } from '../../src/service.ts'
import { allowLongWaits } from './longWaits.ts'
import { type Headers, type TestResponse, type TestService, toTestResponse } from './testService.ts'

export type Node = Awaited<ReturnType<typeof openNode>>

/** Another node on a test service's database, with the same limits of waits. */
export async function openNode(
  t: TestService,
  databaseUrl = t.databaseUrl,
  settings: Partial<Config> = {},
) {
  const { secretKey, pepper } = t.service
  const config = { ...t.service.config, ...settings }
  const { isDistributed } = t.service.database
  const log = pino({ level: 'silent' })
  const service = openService(config, { databaseUrl, secretKey, pepper, log, isDistributed })
  service.markPrepared()
  if (!t.limitsWaits) allowLongWaits(service.database)
  const app = await buildApp(service)
  return {
    service,
    async call(
      method: 'GET' | 'POST',
      url: string,
      headers: Headers = {},
      body?: unknown,
    ): Promise<TestResponse> {
      const response = await app.inject({
        method,
        url,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      return toTestResponse(response)
    },
    /** Listens on a real port and returns it. */
    async listen(): Promise<number> {
      await app.listen({ port: 0, host: '127.0.0.1' })
      return (app.server.address() as AddressInfo).port
    },
    async close(): Promise<void> {
      await app.close()
      await service.close()
    },
  }
}
