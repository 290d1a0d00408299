import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@florin/server/config.js'
import { Refused } from './local.ts'

export type MerchantOptions = {
  readonly url?: string
  readonly apiKey?: string
  readonly apiSecret?: string
}

/** A store's developer, who has keys and an address and need not be near the database. */
export type Merchant = {
  readonly apiSecret: string
  readonly call: <Data>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Data>
}

type DemoFile = { base_url: string; sandbox: { api_key: string; api_secret: string } }

/** Keys from the command, else from the environment, else those of the demo store. */
export async function sandboxMerchant(options: MerchantOptions): Promise<Merchant> {
  const { FLORIN_URL, FLORIN_API_KEY, FLORIN_API_SECRET } = process.env
  const demo = await readDemo()
  const url = options.url ?? FLORIN_URL ?? demo?.base_url
  const apiKey = options.apiKey ?? FLORIN_API_KEY ?? demo?.sandbox.api_key
  const apiSecret = options.apiSecret ?? FLORIN_API_SECRET ?? demo?.sandbox.api_secret
  if (!url || !apiKey || !apiSecret) {
    throw new Refused(
      'Say which store: --url, --api-key and --api-secret, or start the demo first.',
    )
  }
  if (apiKey.startsWith('flk_live_')) throw new Refused('This is for sandbox keys only.')

  return {
    apiSecret,
    async call<Data>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Data> {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          'api-key': apiKey,
          'api-secret': apiSecret,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((error: Error) => {
        throw new Refused(
          `Cannot reach ${url}: ${(error.cause as Error)?.message ?? error.message}`,
        )
      })
      const answer = (await response.json()) as { message: string; data: Data }
      if (!response.ok) throw new Refused(`${method} ${path}: ${answer.message}`)
      return answer.data
    },
  }
}

async function readDemo(): Promise<DemoFile | null> {
  try {
    const path = join(readConfig(process.env).dataFolder, 'demo.json')
    return JSON.parse(await readFile(path, 'utf8')) as DemoFile
  } catch {
    return null
  }
}
