import type { StoreId } from '../core/ids.ts'
import type { Till } from '../core/till.ts'
import type { Queryable, Tx } from '../database/database.ts'

type Row = {
  readonly items: readonly { readonly name: string; readonly price: string }[]
  readonly tipPercentages: readonly number[]
}

export async function findTill(on: Queryable, storeId: StoreId): Promise<Till | null> {
  const rows = await on.query<Row>(
    `select items, tip_percentages as "tipPercentages"
     from till
     where store_id = $1`,
    [storeId],
  )
  const [row] = rows
  if (row === undefined) return null
  const items = row.items.map(({ name, price }) => ({ name, priceMinor: BigInt(price) }))
  return { items, tipPercentages: row.tipPercentages }
}

export async function replaceTill(tx: Tx, storeId: StoreId, till: Till): Promise<void> {
  const items = till.items.map(({ name, priceMinor }) => ({ name, price: String(priceMinor) }))
  await tx.execute('delete from till where store_id = $1', [storeId])
  await tx.execute('insert into till (store_id, items, tip_percentages) values ($1, $2, $3)', [
    storeId,
    JSON.stringify(items),
    till.tipPercentages,
  ])
}
