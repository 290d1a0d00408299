import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Example } from '../../src/pages/reference/examples.ts'
import { type Operation, operationsOf, readDocument, urlOf } from '../openapi/contract.ts'
import { EVERYTHING_ON, makeEveryCall, PNG_TYPE } from '../openapi/everyCall.ts'
import { type Headers, startTestService } from '../setup/testService.ts'
import { answerOf, normalizeLines } from './answers.ts'
import { createNormalizer } from './normalize.ts'
import { createWorkFolder, type Environment, openShell } from './runners.ts'
import { curlSource, JSON_TYPE, PICTURE } from './sources.ts'

type Examples = Record<string, Example>

/** Calls every operation of the service. Makes the first call of each with curl, and records it. */
export async function recordEveryCall(): Promise<Examples> {
  const t = await startTestService(EVERYTHING_ON)
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as { port: number }
  const { folder, remove } = await createWorkFolder()
  const shell = await openShell(folder)
  const operations = new Map(
    operationsOf(await readDocument(t)).map((operation) => [operation.operationId, operation]),
  )
  const normalize = createNormalizer(new Date())
  const recorded: Examples = {}
  try {
    await makeEveryCall(t, async (operationId, given = {}) => {
      const operation = operations.get(operationId)!
      if (recorded[operationId] !== undefined) {
        const { headers = t.operator, body } = given
        return t.call(operation.method, urlOf(operation, given), headers, body)
      }
      const { headers, env } = asVariables(operation, given.headers ?? t.operator)
      const request = {
        method: operation.method,
        url: urlOf(operation, given),
        body: given.body,
        headers: { ...headers, ...typeOf(given.body) },
      }
      if (Buffer.isBuffer(given.body)) await writeFile(join(folder, PICTURE), given.body)
      const source = curlSource(request)
      const ran = await shell.run(source.join('\n'), {
        ...env,
        FLORIN_URL: `http://127.0.0.1:${port}`,
      })
      expect(ran.status, `${operationId}: ${ran.text.slice(0, 300)}`).toBe(200)
      recorded[operationId] = {
        sources: { curl: normalizeLines(source, normalize) },
        answer: answerOf(ran.status, ran.headers.get('content-type')!, ran.text, normalize),
      }
      const isJson = ran.headers.get('content-type')!.startsWith('application/json')
      const body = isJson ? JSON.parse(ran.text) : undefined
      return { ...ran, headers: Object.fromEntries(ran.headers), body }
    })
  } finally {
    shell.close()
    await t.close()
    await remove()
  }
  return recorded
}

const typeOf = (body: unknown) => {
  if (body === undefined) return {}
  return Buffer.isBuffer(body) ? PNG_TYPE : JSON_TYPE
}

/** Replaces secrets with environment variables, so that no example contains one. */
function asVariables({ path }: Operation, given: Headers): { headers: Headers; env: Environment } {
  const env: Record<string, string> = {}
  const variable = (name: string, value: string) => {
    env[name] = value
    return `$${name}`
  }
  const token = path.startsWith('/wallet') ? 'FLORIN_WALLET_TOKEN' : 'FLORIN_OPERATOR_TOKEN'
  const replacements: Record<string, (value: string) => string> = {
    'api-key': (value) => variable('FLORIN_API_KEY', value),
    'api-secret': (value) => variable('FLORIN_API_SECRET', value),
    authorization: (value) => `Bearer ${variable(token, value.slice('Bearer '.length))}`,
    cookie: (value) =>
      value.replace(/=(.*)/, (_, secret: string) => `=${variable('FLORIN_SESSION', secret)}`),
    // Browsers send this header by themselves.
    origin: () => '$FLORIN_URL',
  }
  const headers = Object.entries(given).map(([name, value]) => [
    name,
    replacements[name]?.(value) ?? value,
  ])
  return { headers: Object.fromEntries(headers), env }
}
