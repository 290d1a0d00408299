import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Answer, Example, Language } from '../../src/http/pages/reference/examples.ts'
import { type Operation, operationsOf, readDocument, urlOf } from '../openapi/contract.ts'
import { makeEveryCall } from '../openapi/everyCall.ts'
import { type Headers, startTestService } from '../setup/testService.ts'
import { DEFINITIONS, typescriptSource } from './definitions.ts'
import { type MadeUp, madeUp } from './madeUp.ts'
import {
  type Environment,
  openShell,
  runPhp,
  runPython,
  runTypeScript,
  workFolder,
} from './runners.ts'
import { type ExampleShop, openExampleShop } from './shop.ts'
import { curlSource, phpSource, pythonSource, type Request } from './sources.ts'
import { RECEIVING, rawRequest } from './webhookExample.ts'

type Examples = Record<string, Example>

/** Every call of the service by curl, once. */
export async function recordEveryCall(): Promise<Examples> {
  const t = await startTestService()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as { port: number }
  const { folder, remove } = await workFolder()
  const shell = await openShell(folder)
  const operations = new Map(operationsOf(await readDocument(t)).map((o) => [o.operationId, o]))
  const made = madeUp(new Date())
  const recorded: Examples = {}
  try {
    await makeEveryCall(async (operationId, given = {}) => {
      const operation = operations.get(operationId)!
      if (recorded[operationId] !== undefined) {
        const { headers = t.operator, body } = given
        return t.call(operation.method, urlOf(operation, given), headers, body)
      }
      const { headers, env } = asVariables(operation, given.headers ?? t.operator)
      const request = {
        ...{ method: operation.method, url: urlOf(operation, given), body: given.body },
        headers: given.body === undefined ? headers : { ...headers, ...JSON_TYPE },
      }
      const source = curlSource(request)
      const address = { FLORIN_URL: `http://127.0.0.1:${port}` }
      const ran = await shell.run(source.join('\n'), { ...env, ...address })
      expect(ran.status, `${operationId}: ${ran.text.slice(0, 300)}`).toBe(200)
      recorded[operationId] = {
        sources: { curl: shown(source, made) },
        answer: answerOf(ran.status, ran.headers.get('content-type')!, ran.text, made),
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

const JSON_TYPE = { 'content-type': 'application/json' }

/** Secrets are given by the environment, never written into an example. */
function asVariables({ path }: Operation, given: Headers): { headers: Headers; env: Environment } {
  const env: Record<string, string> = {}
  const variable = (name: string, value: string) => {
    env[name] = value
    return `$${name}`
  }
  const token = path.startsWith('/wallet') ? 'FLORIN_WALLET_TOKEN' : 'FLORIN_OPERATOR_TOKEN'
  const written: Record<string, (value: string) => string> = {
    'api-key': (value) => variable('FLORIN_API_KEY', value),
    'api-secret': (value) => variable('FLORIN_API_SECRET', value),
    authorization: (value) => `Bearer ${variable(token, value.slice('Bearer '.length))}`,
    cookie: (value) => value.replace(/=.*/, (is) => `=${variable('FLORIN_SESSION', is.slice(1))}`),
    // What a browser sends by itself.
    origin: () => '$FLORIN_URL',
  }
  const headers = Object.entries(given).map(([name, value]) => [name, written[name]?.(value) ?? value])
  return { headers: Object.fromEntries(headers), env }
}

const MOST_ITEMS = 2
const MOST_LINES = 200

/** As it came back, in lines; of a long list the first few, and of what is no JSON only the type. */
function answerOf(status: number, contentType: string, text: string, made: MadeUp): Answer {
  const type = contentType.split(';')[0]!
  if (type !== 'application/json') return { status, type, text: [] }
  const lines = JSON.stringify(JSON.parse(made(text)), shortened, 2)
    .replace(/"… (\d+) more"/g, '… $1 more')
    .split('\n')
  return { status, type, text: lines.length > MOST_LINES ? [] : lines }
}

const shortened = (_: string, value: unknown) =>
  Array.isArray(value) && value.length > MOST_ITEMS + 1
    ? [...value.slice(0, MOST_ITEMS), `… ${value.length - MOST_ITEMS} more`]
    : value

const shown = (lines: readonly string[], made: MadeUp) => made(lines.join('\n')).split('\n')

type Prepared = { readonly programs: string[][]; readonly made: MadeUp }

/** The same examples in a language of their own service, so that each answers the same. */
async function inShop<T>(work: (shop: ExampleShop, folder: string) => Promise<T>): Promise<T> {
  const shop = await openExampleShop()
  const { folder, remove } = await workFolder()
  try {
    return await work(shop, folder)
  } finally {
    await shop.close()
    await remove()
  }
}

async function prepare(
  shop: ExampleShop,
  write: (request: Request, told: string) => string[],
): Promise<Prepared> {
  const made = madeUp(new Date())
  const programs: string[][] = []
  for (const { payment, request, typescript } of DEFINITIONS) {
    const id = (await payment?.(shop)) ?? ''
    const given = request(id)
    const headers = {
      ...{ 'api-key': '$FLORIN_API_KEY', 'api-secret': '$FLORIN_API_SECRET' },
      ...given.headers,
      ...(given.body === undefined ? {} : JSON_TYPE),
    }
    programs.push(write({ ...given, headers }, typescript(id)))
  }
  return { programs, made }
}

/**
 * What a language's examples print, made up as the answers of curl are, and the image that one saves. The
 * last is what it prints about an event that the service really signed, and about one that was changed.
 */
export async function recordLanguage(language: Exclude<Language, 'curl'>) {
  const { write, run, receiving } = LANGUAGES[language]
  return inShop(async (shop, folder) => {
    const { programs, made } = await prepare(shop, write)
    const { body, headers } = shop.receiver.received[0]!
    const trial = receiving.trial(JSON.stringify(body), JSON.stringify(headers))
    const all = [...programs.map((lines) => lines.join('\n')), receiving.source + trial]
    const printed = await run(all, folder, shop.env)
    return {
      // Each source with its answer, so that what is made up is so in the order of curl's.
      calls: programs.map((lines, at) => ({
        source: shown(lines, made),
        printed: made(printed[at]!),
      })),
      verified: made(printed.at(-1)!),
      image: await readFile(join(folder, 'qr.png')),
    }
  })
}

const LANGUAGES = {
  typescript: {
    ...{ run: runTypeScript, receiving: RECEIVING.typescript },
    write: (_: Request, told: string) => typescriptSource(told),
  },
  python: { run: runPython, receiving: RECEIVING.python, write: pythonSource },
  php: { run: runPhp, receiving: RECEIVING.php, write: phpSource },
}

export async function recordCurl() {
  return inShop(async (shop, folder) => {
    const { programs, made } = await prepare(shop, curlSource)
    const shell = await openShell(folder)
    const sources: string[][] = []
    const answers: { answer: Answer; body: string }[] = []
    for (const source of programs) {
      const ran = await shell.run(source.join('\n'), shop.env)
      sources.push(shown(source, made))
      const type = ran.headers.get('content-type')!
      answers.push({ answer: answerOf(ran.status, type, ran.text, made), body: made(ran.text) })
    }
    shell.close()
    const event = signedAnew(shown(rawRequest(shop.receiver.received[0]!), made))
    return { sources, answers, event, image: await readFile(join(folder, 'qr.png')) }
  })
}

/** The made-up request with a time and a signature that fit it, under a secret that nobody has. */
function signedAnew(request: readonly string[]): string[] {
  const body = request.at(-1)!
  const id = request.find((line) => line.startsWith('webhook-id'))!.split(': ')[1]
  const sentAt = Date.parse(JSON.parse(body).timestamp) / 1000
  const signed = createHmac('sha256', 'nobody').update(`${id}.${sentAt}.${body}`)
  const signature = signed.digest('base64')
  return request.map((line) =>
    line
      .replace(/^(webhook-timestamp: ).*/, `$1${sentAt}`)
      .replace(/^(webhook-signature: ).*/, `$1v1,${signature}`),
  )
}
