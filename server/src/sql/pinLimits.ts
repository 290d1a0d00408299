import type { CurrencyCode } from '../core/currencies.ts'
import type { Queryable, Tx } from '../database/database.ts'

export type PinLimit = { readonly currency: CurrencyCode; readonly amount: bigint }

export async function listPinLimits(on: Queryable): Promise<PinLimit[]> {
  return on.query<PinLimit>('select currency, amount from pin_limit order by currency')
}

export async function deletePinLimit(tx: Tx, currency: CurrencyCode): Promise<void> {
  await tx.execute('delete from pin_limit where currency = $1', [currency])
}

export async function insertPinLimit(tx: Tx, { currency, amount }: PinLimit): Promise<void> {
  await tx.execute('insert into pin_limit (currency, amount) values ($1, $2)', [currency, amount])
}
