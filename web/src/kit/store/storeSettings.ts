/** A store's profile and settings, as its owner and the operator see them. */
export type StoreSettings = {
  readonly name: string
  readonly logo: string
  readonly domain: string
  readonly email: string
  readonly phone: string
  readonly currency: string
  readonly time_zone: string
  readonly fee_bps: number
  readonly fee_fixed: string
  readonly refund_fee: string
  readonly min_amount: string | null
  readonly max_amount: string | null
  readonly daily_limit: string | null
  readonly monthly_limit: string | null
  readonly expires_after_seconds: number
  readonly unique_references: boolean
  readonly refund_cap_manager: string | null
  readonly refund_cap_cashier: string | null
  readonly embed_origins: readonly string[]
}
