import type { Locale } from '@florin/shared/locales.js'
import { wireTime } from './calendar.ts'
import type { CurrencyCode } from './currencies.ts'
import type { StoreAndMode, StoreId, WalletNumber } from './ids.ts'
import { formatMinor } from './money.ts'
import { type SecondFactorSince, secondFactorRoles } from './secondFactor.ts'

export type Store = {
  readonly storeId: StoreId
  readonly name: string
  readonly currency: CurrencyCode
  readonly timeZone: string
  /** A URL, or the path of an uploaded logo. */
  readonly logo: string | null
  readonly domain: string
  readonly email: string
  readonly phone: string
  readonly feeBps: number
  readonly feeFixedMinor: bigint
  readonly refundFeeMinor: bigint
  readonly minAmountMinor: bigint | null
  readonly maxAmountMinor: bigint | null
  readonly dailyLimitMinor: bigint | null
  readonly monthlyLimitMinor: bigint | null
  readonly expiresAfterSeconds: number
  readonly uniqueReferences: boolean
  /** Null: no cap; zero: no refunds. */
  readonly refundCapManagerMinor: bigint | null
  readonly refundCapCashierMinor: bigint | null
  /** Sites that may embed the checkout page in a frame. */
  readonly embedOrigins: readonly string[]
  /**
   * The language of emails to clients. Also the language of emails to people and payers whose own language is not known:
   * receipts, invitations, and emails to owners about payouts, daily closes and new API keys. Null: English.
   */
  readonly locale: Locale | null
  /** Whether clients get receipts by email. */
  readonly mailReceipts: boolean
  /** Whether the owners get the daily close by email. */
  readonly mailDailyClose: boolean
  readonly suspended: boolean
  readonly secondFactorSince: SecondFactorSince
  readonly sandboxWalletId: WalletNumber
  readonly createdAt: Date
}

/** The settings. The currency of an existing store never changes, because its ledger is in that currency. */
export type StoreSettings = Omit<Store, 'storeId' | 'sandboxWalletId' | 'createdAt'>

export type StoreBalance = StoreAndMode & {
  readonly balance: bigint
  readonly fees: bigint
  readonly gifts: bigint
}

/** The path of an uploaded logo. It contains a hash, so browsers can cache the logo for a year. */
export const logoPath = (storeId: StoreId, hash: string) => `/stores/${storeId}/logo/${hash}.png`

/** The settings for emails, which API keys don't see. */
export const mailFields = (store: Store) => ({
  locale: store.locale,
  mail_receipts: store.mailReceipts,
  mail_daily_close: store.mailDailyClose,
})

/** The store as the operator API and the audit log show it. */
export function storeFields(store: Store) {
  const money = (minor: bigint) => formatMinor(minor, store.currency)
  const limit = (minor: bigint | null) => (minor === null ? null : money(minor))
  return {
    id: store.storeId,
    name: store.name,
    currency: store.currency,
    time_zone: store.timeZone,
    logo: store.logo,
    domain: store.domain,
    email: store.email,
    phone: store.phone,
    fee_bps: store.feeBps,
    fee_fixed: money(store.feeFixedMinor),
    refund_fee: money(store.refundFeeMinor),
    min_amount: limit(store.minAmountMinor),
    max_amount: limit(store.maxAmountMinor),
    daily_limit: limit(store.dailyLimitMinor),
    monthly_limit: limit(store.monthlyLimitMinor),
    expires_after_seconds: store.expiresAfterSeconds,
    unique_references: store.uniqueReferences,
    refund_cap_manager: limit(store.refundCapManagerMinor),
    refund_cap_cashier: limit(store.refundCapCashierMinor),
    embed_origins: store.embedOrigins,
    ...mailFields(store),
    suspended: store.suspended,
    second_factor_roles: secondFactorRoles(store.secondFactorSince),
    created_at: wireTime(store.createdAt),
  }
}
