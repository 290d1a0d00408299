import { Writable } from 'node:stream'
import { buildApp } from '../../src/app.ts'
import { createLog } from '../../src/open.ts'
import { openService } from '../../src/service.ts'
import type { TestService } from './testService.ts'

/** Another app on the database of a test service, which logs to a string at the finest level. */
export async function startLogged(t: TestService, databaseUrl = t.databaseUrl) {
  let output = ''
  const sink = new Writable({
    write(chunk, _, done) {
      output += chunk
      done()
    },
  })
  const { config, secretKey, pepper } = t.service
  const log = createLog('trace', sink)
  const service = openService(config, { databaseUrl, secretKey, pepper, log })
  service.markPrepared()
  const token = 'flo_local-operator-token'
  const app = await buildApp(service, { localOperator: { token, name: 'local' } })
  return {
    app,
    service,
    token,
    read: () => output,
    close: async () => {
      await app.close()
      await service.close()
    },
  }
}
