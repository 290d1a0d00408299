import type { Locale } from '@florin/shared/locales.js'
import { isTimeZone } from './calendar.ts'
import type { CurrencyCode } from './currencies.ts'
import { parseDecimal } from './money.ts'
import { amountMessage, type Problem } from './newPayment.ts'
import type { StoreSettings } from './store.ts'

/** Settings that passed the schema. Their values are validated here. */
type SettingFields = {
  readonly name?: string
  readonly time_zone?: string
  readonly logo?: string | null
  readonly domain?: string
  readonly email?: string
  readonly phone?: string
  readonly fee_bps?: number
  readonly fee_fixed?: string
  readonly refund_fee?: string
  readonly min_amount?: string | null
  readonly max_amount?: string | null
  readonly daily_limit?: string | null
  readonly monthly_limit?: string | null
  readonly expires_after_seconds?: number
  readonly unique_references?: boolean
  readonly refund_cap_manager?: string | null
  readonly refund_cap_cashier?: string | null
  readonly embed_origins?: readonly string[]
  readonly locale?: Locale | null
  readonly mail_receipts?: boolean
  readonly mail_daily_close?: boolean
  readonly suspended?: boolean
}

export const NEW_STORE_SETTINGS: Omit<StoreSettings, 'name' | 'currency'> = {
  timeZone: 'UTC',
  logo: null,
  domain: '',
  email: '',
  phone: '',
  feeBps: 0,
  feeFixedMinor: 0n,
  refundFeeMinor: 0n,
  minAmountMinor: null,
  maxAmountMinor: null,
  dailyLimitMinor: null,
  monthlyLimitMinor: null,
  expiresAfterSeconds: 900,
  uniqueReferences: false,
  refundCapManagerMinor: null,
  refundCapCashierMinor: 0n,
  embedOrigins: [],
  locale: null,
  mailReceipts: false,
  mailDailyClose: false,
  suspended: false,
  secondFactorSince: {},
}

type Changes = Partial<Omit<StoreSettings, 'currency'>>

const FEES = [
  ['fee_fixed', 'feeFixedMinor'],
  ['refund_fee', 'refundFeeMinor'],
] as const
const LIMITS = [
  ['min_amount', 'minAmountMinor'],
  ['max_amount', 'maxAmountMinor'],
  ['daily_limit', 'dailyLimitMinor'],
  ['monthly_limit', 'monthlyLimitMinor'],
  ['refund_cap_manager', 'refundCapManagerMinor'],
  ['refund_cap_cashier', 'refundCapCashierMinor'],
] as const

/** Returns the changes and all problems. */
export function validateSettings(
  fields: SettingFields,
  currency: CurrencyCode,
): { readonly changes: Changes; readonly problems: Problem[] } {
  const problems: Problem[] = []
  const changes: { -readonly [K in keyof Changes]: Changes[K] } = {}

  const parseOrReport = (field: keyof SettingFields, text: string): bigint => {
    const minor = parseDecimal(text, currency)
    if (typeof minor === 'bigint') return minor
    problems.push({ field, message: `${field} ${amountMessage(minor, currency)}` })
    return 0n
  }
  for (const [field, name] of FEES) {
    const value = fields[field]
    if (value !== undefined) changes[name] = parseOrReport(field, value)
  }
  for (const [field, name] of LIMITS) {
    const value = fields[field]
    if (value === undefined) continue
    changes[name] = value === null ? null : parseOrReport(field, value)
    const isForOnePayment = field === 'min_amount' || field === 'max_amount'
    if (
      isForOnePayment &&
      changes[name] === 0n &&
      !problems.some((problem) => problem.field === field)
    ) {
      problems.push({ field, message: `${field} must be greater than 0, or null for none` })
    }
  }
  if (fields.time_zone !== undefined) {
    if (isTimeZone(fields.time_zone)) changes.timeZone = fields.time_zone
    else {
      const message = 'time_zone must be a name such as Europe/Paris'
      problems.push({ field: 'time_zone', message })
    }
  }
  if (fields.name !== undefined) changes.name = fields.name
  if (fields.logo !== undefined) changes.logo = fields.logo
  if (fields.domain !== undefined) changes.domain = fields.domain
  if (fields.email !== undefined) changes.email = fields.email
  if (fields.phone !== undefined) changes.phone = fields.phone
  if (fields.fee_bps !== undefined) changes.feeBps = fields.fee_bps
  if (fields.expires_after_seconds !== undefined) {
    changes.expiresAfterSeconds = fields.expires_after_seconds
  }
  if (fields.unique_references !== undefined) changes.uniqueReferences = fields.unique_references
  if (fields.embed_origins !== undefined) changes.embedOrigins = fields.embed_origins
  if (fields.locale !== undefined) changes.locale = fields.locale
  if (fields.mail_receipts !== undefined) changes.mailReceipts = fields.mail_receipts
  if (fields.mail_daily_close !== undefined) changes.mailDailyClose = fields.mail_daily_close
  if (fields.suspended !== undefined) changes.suspended = fields.suspended
  return { changes, problems }
}

/** A minimum above the maximum would refuse every payment. */
export function limitsContradict(
  settings: Pick<StoreSettings, 'minAmountMinor' | 'maxAmountMinor'>,
) {
  const { minAmountMinor: min, maxAmountMinor: max } = settings
  return min !== null && max !== null && min > max
}
