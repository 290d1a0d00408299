import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Language } from '../../src/pages/reference/examples.ts'
import { answerOf, shown } from './answers.ts'
import { DEFINITIONS, typescriptSource } from './definitions.ts'
import { type MadeUp, madeUp } from './madeUp.ts'
import { openShell, runPhp, runPython, runTypeScript, workFolder } from './runners.ts'
import { type ExampleShop, openExampleShop } from './shop.ts'
import { curlSource, JSON_TYPE, phpSource, pythonSource, type Request } from './sources.ts'
import { RECEIVING, rawRequest } from './webhookExample.ts'

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
      'api-key': '$FLORIN_API_KEY',
      'api-secret': '$FLORIN_API_SECRET',
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
    run: runTypeScript,
    receiving: RECEIVING.typescript,
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
