import { parseJsonExactly, stringifyExactly } from '@florin/server/core/json.js'
import { type Command, InvalidArgumentError } from 'commander'
import { UsageError } from './failure.ts'
import { addMerchantOptions, type MerchantOptions } from './merchant.ts'
import { print, printColoured } from './print.ts'

/** Options of every command with a store's keys. */
export type CommandOptions = MerchantOptions & { readonly json?: boolean }

/** Adds a command that uses a store's keys. */
export const addMerchantCommand = (parent: Command, usage: string, about: string): Command =>
  addMerchantOptions(parent.command(usage).description(about)).option(
    '--live',
    "use the demo's live keys",
  )

export const show = (value: unknown, { json }: CommandOptions) =>
  print(value, { json: json === true, columns: null })

export const idempotencyOptions = ({ idempotencyKey }: { readonly idempotencyKey?: string }) =>
  idempotencyKey === undefined ? {} : { idempotencyKey }

/** The fields of `--data`. */
export function parseData(text: string | undefined): object {
  if (text === undefined) return {}
  let data: unknown = null
  try {
    data = parseJsonExactly(text)
  } catch {
    // Reported below, like every other value that is not an object.
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    if (JSON.stringify(data) === stringifyExactly(data)) return data
    throw new UsageError(
      '--data has a number with more digits than JavaScript can represent. Send it as a string.',
    )
  }
  throw new UsageError(`--data must be a JSON object, such as '{"payload": {"table": 4}}'.`)
}

export function parseWholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('It must be a positive whole number.')
}

export function parseAmount(text: string): string {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return text
  throw new UsageError('amount must be a decimal greater than 0, such as 12.50.')
}

/** Draws a link, so that a phone can scan it from the screen. */
export async function printUrlQr(url: string): Promise<void> {
  const [{ qrText }, { textQrRows }] = await Promise.all([
    import('./qrText.ts'),
    import('@florin/server/core/qrSymbol.js'),
  ])
  printColoured(`\n${qrText(textQrRows(url), { colours: process.stdout.isTTY })}`)
}
