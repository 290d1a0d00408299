import { wireTime } from './calendar.ts'
import type { CurrencyCode } from './currencies.ts'
import type { Mode, StoreId, WalletNumber } from './ids.ts'
import { formatMinor } from './money.ts'

export type Store = {
  readonly storeId: StoreId
  readonly name: string
  readonly currency: CurrencyCode
  readonly timeZone: string
  /** An address, or a path of ours where it was uploaded. */
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
  /** Null: no cap; zero: no refunds at all. */
  readonly refundCapManagerMinor: bigint | null
  readonly refundCapCashierMinor: bigint | null
  /** Sites that may show the checkout page in a frame. */
  readonly embedOrigins: readonly string[]
  readonly suspended: boolean
  readonly sandboxWalletId: WalletNumber
  readonly createdAt: Date
}

/** What the operator may set; the currency is fixed once the store exists, as its ledger is in it. */
export type StoreSettings = Omit<Store, 'storeId' | 'sandboxWalletId' | 'createdAt'>

export type StoreBalance = {
  readonly storeId: StoreId
  readonly mode: Mode
  readonly balance: bigint
  readonly fees: bigint
  readonly gifts: bigint
}

/** Where a logo that was uploaded is served; the hash makes each a file of its own. */
export const logoPath = (storeId: StoreId, hash: string) => `/stores/${storeId}/logo/${hash}.png`

/** A store's settings as people read them: decimal strings, names as on the wire. */
export function storeFields(store: Store) {
  const money = (minor: bigint) => formatMinor(minor, store.currency)
  const limit = (minor: bigint | null) => (minor === null ? null : money(minor))
  return {
    id: store.storeId,
    name: store.name,
    currency: store.currency as string,
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
    suspended: store.suspended,
    created_at: wireTime(store.createdAt),
  }
}
