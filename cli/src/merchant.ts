import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConnectionError, Florin, FlorinError, ServerError, ValidationError } from '@florin/sdk'
import { readConfig } from '@florin/server/config.js'
import { withoutTrailingSlashes } from '@florin/shared/urls.js'
import type { Command } from 'commander'
import { Misused, Refused, Unreachable } from './failure.ts'

export type MerchantOptions = {
  readonly url?: string
  readonly apiKey?: string
  readonly apiSecret?: string
  readonly live?: boolean
}

/** A store's developer, who has keys and an address and need not be near the database. */
export type Merchant = {
  readonly florin: Florin
  readonly url: string
  readonly apiSecret: string
  readonly isLive: boolean
}

type Keys = { api_key: string; api_secret: string }
type DemoFile = { base_url: string; live: Keys; sandbox: Keys }

export function addMerchantOptions(command: Command): Command {
  return command
    .option('--url <url>', 'address of the service; FLORIN_URL, else the demo')
    .option('--api-key <key>', 'FLORIN_API_KEY, else the sandbox key of the demo')
    .option('--api-secret <secret>', 'its secret; FLORIN_API_SECRET, else that of the demo')
}

/** Does it with a store's keys, and puts what goes wrong into a line. */
export async function asMerchant<T>(
  options: MerchantOptions,
  work: (merchant: Merchant) => Promise<T>,
): Promise<T> {
  const merchant = await findMerchant(options)
  try {
    return await work(merchant)
  } catch (error) {
    throw inWords(error, merchant.url)
  }
}

export async function asSandboxMerchant<T>(
  options: MerchantOptions,
  work: (merchant: Merchant) => Promise<T>,
): Promise<T> {
  return asMerchant(options, async (merchant) => {
    if (merchant.isLive) throw new Refused('This is for sandbox keys only.')
    return work(merchant)
  })
}

/** Keys from the command, else from the environment, else those of the demo store. */
async function findMerchant({ url, apiKey, apiSecret, live }: MerchantOptions): Promise<Merchant> {
  const { FLORIN_URL, FLORIN_API_KEY, FLORIN_API_SECRET } = process.env
  const demo = await readDemo()
  const keys =
    pair(apiKey, apiSecret, '--api-key and --api-secret') ??
    pair(FLORIN_API_KEY, FLORIN_API_SECRET, 'FLORIN_API_KEY and FLORIN_API_SECRET') ??
    demo?.[live ? 'live' : 'sandbox']
  const baseUrl = url ?? FLORIN_URL ?? demo?.base_url
  if (!keys || !baseUrl) {
    throw new Misused(
      'Say which store: --url, --api-key and --api-secret, or start the demo first.',
    )
  }
  try {
    const { api_key, api_secret } = keys
    return {
      florin: new Florin({ baseUrl, apiKey: api_key, apiSecret: api_secret }),
      url: withoutTrailingSlashes(baseUrl),
      apiSecret: api_secret,
      isLive: api_key.startsWith('flk_live_'),
    }
  } catch (error) {
    throw new Misused((error as Error).message.replace('baseUrl', '--url'))
  }
}

/** A key with the secret of another would only be refused, with no hint why. */
function pair(key: string | undefined, secret: string | undefined, names: string): Keys | null {
  if (!key && !secret) return null
  if (!key || !secret) throw new Misused(`${names} belong together: give both.`)
  return { api_key: key, api_secret: secret }
}

/** What the SDK throws, as what people are told; anything else as it is. */
export function inWords(error: unknown, url: string): unknown {
  if (!(error instanceof FlorinError)) return error
  if (error instanceof ConnectionError) {
    const cause = (error.cause as { cause?: Error } | undefined)?.cause ?? error
    return new Unreachable(
      `Cannot reach ${url}: ${cause.message}. Does it run? npm start; if it should, npx florin doctor`,
    )
  }
  if (error instanceof ServerError || error.status === 429) return new Unreachable(error.message)
  if (error instanceof ValidationError && error.status !== null) {
    return new Refused('Validation error', error.errors)
  }
  return new Refused(error.message)
}

async function readDemo(): Promise<DemoFile | null> {
  try {
    const path = join(readConfig(process.env).dataFolder, 'demo.json')
    return JSON.parse(await readFile(path, 'utf8')) as DemoFile
  } catch {
    return null
  }
}
