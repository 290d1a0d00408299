import { type CurrencyCode, currencyProblem, parseCurrency } from './currencies.ts'
import { transactionFee } from './fees.ts'
import { stringifyExactly } from './json.ts'
import {
  type AmountProblem,
  convert,
  formatMinor,
  isTooLarge,
  MAX_INTEGER_DIGITS,
  parseAmount,
  RATE_ONE,
} from './money.ts'
import type { NewPayment, Product } from './payment.ts'
import type { Store } from './store.ts'
import { isStorable } from './text.ts'
import { type AddressRules, urlProblem, webhookUrlProblem } from './webhookUrl.ts'

/** The fields of a request. The values of those that passed the schema are validated here. */
export type CreateFields = {
  readonly amount?: unknown
  readonly currency?: unknown
  readonly client?: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly phone_dial_code?: string | null
  } | null
  readonly products?: readonly { name: string; quantity: number; price: number }[] | null
  readonly payload?: Record<string, unknown> | null
  readonly reference_id?: string | null
  readonly reference_note?: string | null
  readonly webhook_url?: string | null
  readonly return_url?: string | null
  readonly expires_in?: number | null
}

export type Problem = { readonly field: string; readonly message: string }

type CreateTerms = {
  readonly store: Store
  readonly rate: bigint | null
  readonly webhookRules: AddressRules
}

const MAX_PAYLOAD_BYTES = 16 * 1024

/** In the order in which problems are reported. */
export const CREATE_FIELDS = [
  'amount',
  'currency',
  'client',
  'client.name',
  'client.email',
  'client.phone',
  'client.phone_dial_code',
  'products',
  'products.name',
  'products.quantity',
  'products.price',
  'payload',
  'reference_id',
  'reference_note',
  'webhook_url',
  'return_url',
  'expires_in',
  'locale',
]

/** An amount converted to the store's currency, with its fee. */
export type Quote = {
  readonly requestAmount: bigint
  readonly requestCurrency: CurrencyCode
  readonly rate: bigint
  readonly gross: bigint
  readonly fee: bigint
}

export const TOO_MANY_DIGITS = `must have at most ${MAX_INTEGER_DIGITS} digits before the decimal point`
export const TOO_MANY_DECIMALS = 'has too many decimals'

export function amountMessage(problem: AmountProblem, currency: CurrencyCode | null): string {
  switch (problem) {
    case 'not_a_number':
      return 'must be a number'
    case 'negative':
      return 'must not be negative'
    case 'too_large':
      return TOO_MANY_DIGITS
    case 'too_many_decimals':
      return currency === null ? TOO_MANY_DECIMALS : `has more decimals than ${currency} has`
  }
}

/** Converts the amount and computes the fee. Refuses a gross of zero, or one with too many digits. */
export function quote(
  store: Store,
  requestAmount: bigint,
  requestCurrency: CurrencyCode,
  rate: bigint,
): Quote | { readonly problem: string } {
  const gross = convert(requestAmount, requestCurrency, store.currency, rate)
  if (gross === 0n) return { problem: `amount is too small to convert to ${store.currency}` }
  if (isTooLarge(gross, store.currency)) {
    return { problem: `amount is too large to convert to ${store.currency}` }
  }
  return { requestAmount, requestCurrency, rate, gross, fee: transactionFee(gross, store) }
}

/** Like `quote`, and refuses an amount outside the store's limits of one payment. */
export function quoteWithinLimits(
  store: Store,
  requestAmount: bigint,
  requestCurrency: CurrencyCode,
  rate: bigint,
): Quote | { readonly problem: string } {
  const quoted = quote(store, requestAmount, requestCurrency, rate)
  if ('problem' in quoted) return quoted
  const problem = amountLimitProblem(store, quoted.gross)
  return problem === null ? quoted : { problem }
}

/** Checks the store's minimum and maximum. */
export function amountLimitProblem(store: Store, gross: bigint): string | null {
  const format = (minor: bigint) => `${formatMinor(minor, store.currency)} ${store.currency}`
  if (store.minAmountMinor !== null && gross < store.minAmountMinor) {
    return `amount must be at least ${format(store.minAmountMinor)}`
  }
  if (store.maxAmountMinor !== null && gross > store.maxAmountMinor) {
    return `amount must be at most ${format(store.maxAmountMinor)}`
  }
  return null
}

/** The currency of the request if it is valid and differs from that of the store; otherwise null. */
export function foreignCurrency(fields: CreateFields, store: Store): CurrencyCode | null {
  const currency = typeof fields.currency === 'string' ? parseCurrency(fields.currency) : null
  return currency === null || currency === store.currency ? null : currency
}

/**
 * Validates the values of a request and returns all problems. Skips `invalidFields`, which failed the schema.
 */
export function validateCreate(
  fields: CreateFields,
  terms: CreateTerms,
  invalidFields: ReadonlySet<string>,
): { readonly payment: NewPayment | null; readonly problems: readonly Problem[] } {
  const { store } = terms
  const checks = createChecks(invalidFields)
  const { isValid, problems } = checks
  const { currency, rate } = validateCurrency(fields.currency, terms, checks)
  let quoted: Quote | null = null
  if (isValid('amount')) {
    const result = validateAmount(fields.amount, currency, rate, store)
    if (result !== null && 'field' in result) problems.push(result)
    else quoted = result
  }

  const products = parseProducts(fields.products, currency, checks)
  checkExtras(fields, terms.webhookRules, checks)
  if (quoted === null || problems.length > 0 || invalidFields.size > 0)
    return { payment: null, problems }

  const { client } = fields
  return {
    problems,
    payment: {
      gross: quoted.gross,
      fee: quoted.fee,
      currency: store.currency,
      requestAmount: quoted.requestAmount,
      requestCurrency: quoted.requestCurrency,
      conversionRate: quoted.rate,
      client: client
        ? {
            name: client.name,
            email: client.email,
            phone_dial_code: client.phone_dial_code ?? null,
            phone: client.phone,
          }
        : null,
      products,
      payload: payloadText(fields.payload),
      referenceId: fields.reference_id ?? null,
      referenceNote: fields.reference_note ?? null,
      webhookUrl: fields.webhook_url ?? null,
      returnUrl: fields.return_url ?? null,
      expiresInSeconds: fields.expires_in ?? store.expiresAfterSeconds,
    },
  }
}

export type Checks = ReturnType<typeof createChecks>

/** Collects the problems of a request. Fields that failed the schema are not checked again. */
export function createChecks(invalidFields: ReadonlySet<string>) {
  const problems: Problem[] = []
  return {
    problems,
    isValid: (field: string) => !invalidFields.has(field),
    add: (field: string, message: string) => void problems.push({ field, message }),
  }
}

/** The currency, and its rate to the currency of the store. Null for what is invalid or unknown. */
export function validateCurrency(
  code: unknown,
  terms: Pick<CreateTerms, 'store' | 'rate'>,
  { isValid, add }: Checks,
): { readonly currency: CurrencyCode | null; readonly rate: bigint | null } {
  const { store } = terms
  const currency = isValid('currency') ? parseCurrency(String(code)) : null
  if (isValid('currency') && currency === null) add('currency', currencyProblem(String(code)))
  const rate = currency === store.currency ? RATE_ONE : terms.rate
  if (currency !== null && rate === null) {
    add('currency', `currency ${currency} cannot be converted to ${store.currency}`)
  }
  return { currency, rate }
}

/** The products with prices in minor units. */
export function parseProducts(
  products: CreateFields['products'],
  currency: CurrencyCode | null,
  { isValid, add }: Checks,
): Product[] {
  return ((isValid('products') && products) || []).flatMap((product, index) => {
    // A product that failed the schema may be null.
    if (!isValid(`products.${index}`)) return []
    const { name, quantity, price } = product
    const field = `products.${index}.price`
    const minor = isValid(field) ? parseAmount(price, currency) : 0n
    if (typeof minor === 'bigint') return [{ name, quantity, price: String(minor) }]
    add(field, `price ${amountMessage(minor, currency)}`)
    return []
  })
}

/** Checks the payload and the URLs. */
export function checkExtras(
  fields: Pick<CreateFields, 'payload' | 'webhook_url' | 'return_url'>,
  webhookRules: AddressRules,
  { isValid, add }: Checks,
): void {
  if (isValid('payload') && fields.payload) {
    const problem = payloadProblem(fields.payload)
    if (problem !== null) add('payload', problem)
  }
  if (isValid('webhook_url') && typeof fields.webhook_url === 'string') {
    const problem = webhookUrlProblem(fields.webhook_url, webhookRules)
    if (problem !== null) add('webhook_url', `webhook_url ${problem}`)
  }
  if (isValid('return_url') && typeof fields.return_url === 'string') {
    const problem = urlProblem(fields.return_url)
    if (problem !== null) add('return_url', `return_url ${problem}`)
  }
}

/** Null if the amount is valid, but there is no valid currency or no rate. */
export function validateAmount(
  amount: unknown,
  currency: CurrencyCode | null,
  rate: bigint | null,
  store: Store,
): Quote | Problem | null {
  const minor = parseAmount(amount, currency)
  const amountProblem = (message: string) => ({ field: 'amount', message })
  if (typeof minor !== 'bigint') return amountProblem(`amount ${amountMessage(minor, currency)}`)
  if (currency === null || rate === null) return null
  const quoted = quoteWithinLimits(store, minor, currency, rate)
  return 'problem' in quoted ? amountProblem(quoted.problem) : quoted
}

/** The payload as it is stored. */
export const payloadText = (payload: CreateFields['payload']): string | null =>
  payload ? stringifyExactly(payload) : null

function payloadProblem(payload: Record<string, unknown>): string | null {
  const json = stringifyExactly(payload)
  if (Buffer.byteLength(json) > MAX_PAYLOAD_BYTES) return 'payload must be at most 16 KiB as JSON'
  // JSON.stringify escapes U+0000 and lone surrogates, and PostgreSQL can't decode those escapes from stored JSON.
  if (json.includes('\\u') && !everyText(payload, isStorable)) {
    return 'payload contains characters that cannot be stored'
  }
  return null
}

function everyText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, child]) => test(key) && everyText(child, test))
}
