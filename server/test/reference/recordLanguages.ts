import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Language } from '../../src/pages/reference/examples.ts'
import { answerOf, normalizeLines } from './answers.ts'
import { DEFINITIONS, typescriptSource } from './definitions.ts'
import { createNormalizer, type Normalize } from './normalize.ts'
import { createWorkFolder, openShell, runPhp, runPython, runTypeScript } from './runners.ts'
import { type ExampleShop, openExampleShop } from './shop.ts'
import { curlSource, JSON_TYPE, phpSource, pythonSource, type Request } from './sources.ts'
import { RECEIVING, rawRequest } from './webhookExample.ts'

type Prepared = { readonly programs: string[][]; readonly normalize: Normalize }

/** Each language has its own service, so that all get the same responses. */
async function inShop<T>(work: (shop: ExampleShop, folder: string) => Promise<T>): Promise<T> {
  const shop = await openExampleShop()
  const { folder, remove } = await createWorkFolder()
  try {
    return await work(shop, folder)
  } finally {
    await shop.close()
    await remove()
  }
}

async function prepare(
  shop: ExampleShop,
  write: (request: Request, code: string) => string[],
): Promise<Prepared> {
  const normalize = createNormalizer(new Date())
  const programs: string[][] = []
  for (const { subject, request, typescript } of DEFINITIONS) {
    const id = (await subject?.(shop)) ?? ''
    const given = request(id)
    const headers = {
      'api-key': '$FLORIN_API_KEY',
      'api-secret': '$FLORIN_API_SECRET',
      ...given.headers,
      ...(given.body === undefined ? {} : JSON_TYPE),
    }
    programs.push(write({ ...given, headers }, typescript(id)))
  }
  return { programs, normalize }
}

/**
 * Runs the examples of a language. Returns their output, normalized like the responses of curl, and the image that one
 * of them saves. `verified` is the output for a signed event of the service and for one that was changed.
 */
export async function recordLanguage(language: Exclude<Language, 'curl'>) {
  const { write, run, receiving } = LANGUAGES[language]
  return inShop(async (shop, folder) => {
    const { programs, normalize } = await prepare(shop, write)
    const { body, headers } = shop.receiver.received[0]!
    const trial = receiving.trial(JSON.stringify(body), JSON.stringify(headers))
    const all = [...programs.map((lines) => lines.join('\n')), receiving.source + trial]
    const printed = await run(all, folder, shop.env)
    return {
      // Normalize each source together with its output, in the same order as for curl.
      calls: programs.map((lines, index) => ({
        source: normalizeLines(lines, normalize),
        printed: normalize(printed[index]!),
      })),
      verified: normalize(printed.at(-1)!),
      image: await readFile(join(folder, 'qr.png')),
    }
  })
}

const LANGUAGES = {
  typescript: {
    run: runTypeScript,
    receiving: RECEIVING.typescript,
    write: (_: Request, code: string) => typescriptSource(code),
  },
  python: { run: runPython, receiving: RECEIVING.python, write: pythonSource },
  php: { run: runPhp, receiving: RECEIVING.php, write: phpSource },
}

export async function recordCurl() {
  return inShop(async (shop, folder) => {
    const { programs, normalize } = await prepare(shop, curlSource)
    const shell = await openShell(folder)
    const sources: string[][] = []
    const answers: { answer: Answer; body: string }[] = []
    for (const source of programs) {
      const ran = await shell.run(source.join('\n'), shop.env)
      sources.push(normalizeLines(source, normalize))
      const type = ran.headers.get('content-type')!
      answers.push({
        answer: answerOf(ran.status, type, ran.text, normalize),
        body: normalize(ran.text),
      })
    }
    shell.close()
    const event = signAgain(normalizeLines(rawRequest(shop.receiver.received[0]!), normalize))
    return { sources, answers, event, image: await readFile(join(folder, 'qr.png')) }
  })
}

/** Signs the normalized request again, with a secret that is not used elsewhere. */
function signAgain(request: readonly string[]): string[] {
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
