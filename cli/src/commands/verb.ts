import { MODES } from '@florin/server/core/ids.js'
import { UsageError } from '../failure.ts'
import type { Call } from '../operator.ts'

export type Options = Record<string, string | boolean | undefined>

export type Verb = {
  readonly usage: string
  readonly about: string
  readonly options?: readonly (readonly [
    flags: string,
    about: string,
    choices?: readonly string[],
  ])[]
  /** Columns of the table. JSON output has all fields. */
  readonly columns?: readonly string[]
  readonly call: (args: readonly string[], options: Options) => Call
  /** Fetches all pages before printing. */
  readonly allPages?: true
  /** The link in the response that is also printed as a QR code. */
  readonly linkOf?: (data: unknown) => string | null
  /** Always prints JSON, because the output is a document for the person whose data it contains. */
  readonly isDocument?: true
}

/** Commands about one noun, such as stores. */
export type Noun = { readonly about: string; readonly verbs: Record<string, Verb> }

export const PAGE = [
  ['--limit <n>', 'page size, 1 to 100'],
  ['--cursor <cursor>', 'next_cursor of the previous page'],
] as const

export const MODE = ['--mode <mode>', 'live or sandbox', MODES] as const

/** The options of a command that moves money. */
export const MOVE = [
  ['--note <text>', 'note on the statement'],
  ['--idempotency-key <key>', 'commands with the same key move the money once'],
] as const

export const get = (path: string): Call => ({ method: 'GET', path })
export const post = (path: string, body: Record<string, unknown>): Call => ({
  method: 'POST',
  path,
  body,
})

/** The call that moves money. `body` has the fields that aren't options. */
export function move(path: string, body: Record<string, unknown>, options: Options): Call {
  const { idempotencyKey, ...others } = options
  const call = post(path, { ...fields(others), ...body })
  return typeof idempotencyKey === 'string' ? { ...call, idempotencyKey } : call
}

/** Refuses `.` and `..`, which would name another path even when they are encoded. */
export function pathSegment(text = ''): string {
  if (text === '.' || text === '..') throw new UsageError(`"${text}" is not an id or a currency.`)
  return encodeURIComponent(text)
}

/** Converts commander's camelCase options to the API's field names. */
export function fields(options: Options): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}

const INTEGER_FIELDS = ['fee_bps', 'expires_after_seconds', 'overlap_seconds']

export function parseIntegers(body: Record<string, unknown>): Record<string, unknown> {
  const convert = (name: string, value: unknown) =>
    INTEGER_FIELDS.includes(name) && /^\d+$/.test(String(value)) ? Number(value) : value
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, convert(name, value)]),
  )
}

export function query(options: Options): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) parameters.set(name, String(value))
  return parameters.size === 0 ? '' : `?${parameters}`
}
