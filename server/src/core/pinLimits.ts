import type { CurrencyCode } from './currencies.ts'
import { formatMinor } from './money.ts'

/** Amounts in minor units by currency, as they are stored in JSON. */
export type StoredPinLimits = Readonly<Record<string, string>>

/** Amounts in minor units by currency. A payment above its limit needs the PIN. */
export type PinLimits = ReadonlyMap<string, bigint>

export const NO_PIN_LIMITS: PinLimits = new Map()

/** The lower of the payer's own limit and the operator's; null without either. */
export function pinLimitOf(
  { own, service }: { own: StoredPinLimits; service: PinLimits },
  currency: CurrencyCode,
): bigint | null {
  const stored = own[currency]
  const ownLimit = stored === undefined ? null : BigInt(stored)
  const serviceLimit = service.get(currency) ?? null
  if (ownLimit === null || serviceLimit === null) return ownLimit ?? serviceLimit
  return ownLimit < serviceLimit ? ownLimit : serviceLimit
}

/** Whether a change makes the limit less strict. */
export const isLooser = (before: bigint | null, after: bigint | null): boolean =>
  before !== null && (after === null || after > before)

/** The limits as the API shows them, by currency. */
export const pinLimitsView = (limits: StoredPinLimits) =>
  Object.entries(limits)
    .map(([currency, amount]) => ({
      currency,
      amount: formatMinor(BigInt(amount), currency as CurrencyCode),
    }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
