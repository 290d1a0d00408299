import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConnectionError, Florin, FlorinError, ServerError, ValidationError } from '@florin/sdk'
import { readConfig } from '@florin/server/config.js'
import { withoutTrailingSlashes } from '@florin/shared/urls.js'
import type { Command } from 'commander'
import { Refused, Unreachable, UsageError } from './failure.ts'
import { escapeControls } from './print.ts'

export type MerchantOptions = {
  readonly url?: string
  readonly apiKey?: string
  readonly apiSecret?: string
  readonly live?: boolean
}

/** A client with a store's keys. It needs no access to the database. */
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
    .option('--url <url>', 'URL of the service; default: FLORIN_URL, or the demo')
    .option('--api-key <key>', 'API key; default: FLORIN_API_KEY, or the demo')
    .option('--api-secret <secret>', 'API secret; default: FLORIN_API_SECRET, or the demo')
}

/** Runs `work` with a store's keys. SDK errors become one-line messages. */
export async function asMerchant<T>(
  options: MerchantOptions,
  work: (merchant: Merchant) => Promise<T>,
): Promise<T> {
  const merchant = await findMerchant(options)
  try {
    return await work(merchant)
  } catch (error) {
    throw describeError(error, merchant.url)
  }
}

export async function asSandboxMerchant<T>(
  options: MerchantOptions,
  work: (merchant: Merchant) => Promise<T>,
): Promise<T> {
  return asMerchant(options, async (merchant) => {
    if (merchant.isLive) throw new Refused('This command works with sandbox keys only.')
    return work(merchant)
  })
}

/** Takes the keys from the options, then the environment, then the demo. */
async function findMerchant({ url, apiKey, apiSecret, live }: MerchantOptions): Promise<Merchant> {
  const { FLORIN_URL, FLORIN_API_KEY, FLORIN_API_SECRET } = process.env
  const demo = await readDemo()
  const keys =
    pairKeys(apiKey, apiSecret, '--api-key and --api-secret') ??
    pairKeys(
      FLORIN_API_KEY || undefined,
      FLORIN_API_SECRET || undefined,
      'FLORIN_API_KEY and FLORIN_API_SECRET',
    ) ??
    demo?.[live ? 'live' : 'sandbox']
  const baseUrl = url ?? (FLORIN_URL || demo?.base_url)
  if (!keys || !baseUrl) {
    throw new UsageError(
      'No store given. Pass --url, --api-key and --api-secret, or start the demo first.',
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
    throw new UsageError((error as Error).message.replace('baseUrl', '--url'))
  }
}

/**
 * Requires both: a key with another key's secret would be refused without explanation. An empty option is an error,
 * not a reason to use other keys.
 */
function pairKeys(key: string | undefined, secret: string | undefined, names: string): Keys | null {
  if (key === undefined && secret === undefined) return null
  if (!key || !secret)
    throw new UsageError(`${names} must be given together and must not be empty.`)
  return { api_key: key, api_secret: secret }
}

/** Converts SDK errors to messages for the user; returns other errors unchanged. */
export function describeError(error: unknown, url: string): unknown {
  if (!(error instanceof FlorinError)) return error
  if (error instanceof ConnectionError) {
    const reason = error.message.replace(/Check baseUrl\.$/, 'Check --url')
    return new Unreachable(
      `Cannot reach ${url}: ${escapeControls(reason)}. Start it with npm start, or check it with npx florin doctor.`,
    )
  }
  // The text comes from the server, or from a proxy in front of it.
  const message = escapeControls(error.message)
  if (error instanceof ServerError || error.status === 429) return new Unreachable(message)
  if (error instanceof ValidationError && error.status !== null) {
    return new Refused('Validation error', error.errors)
  }
  return new Refused(message)
}

/** The demo of the data folder; null without one. */
export async function readDemo(): Promise<DemoFile | null> {
  try {
    const path = join(readConfig(process.env).dataFolder, 'demo.json')
    return JSON.parse(await readFile(path, 'utf8')) as DemoFile
  } catch {
    return null
  }
}
