// Statements that corrupt rows. `makeHistory` returns the value of each `{name}`.

export const update = (table: string, change: string, where: string) =>
  `update ${table} set ${change} where ${where}`
export const changeStoreBalance = (change: string) =>
  update('store_balance', change, `store_id = {shop} and mode = 'live'`)
export const changeLink = (change: string) => update('link', change, `link_id = '{link}'`)
export const changePayment = (change: string, id: string) =>
  update('payment', change, `payment_id = '{${id}}'`)
export const changeTransfer = (change: string, id: string, kind: string) =>
  update('transfer', change, `reference = '{${id}}' and kind = '${kind}'`)
export const changeWalletTransfer = (change: string, id: string, kind: string) =>
  update('wallet_transfer', change, `reference = '{${id}}' and kind = '${kind}'`)
export const changeEvent = (change: string, id: string, sequence = 1) =>
  update('event', change, `payment_id = '{${id}}' and sequence = ${sequence}`)
export const copyEvent = (id: string, changes: Record<string, string>) => {
  const columns = ['store_id', 'payment_id', 'sequence', 'mode', 'type', 'created_at']
  const values = columns.map((column) => changes[column] ?? column)
  return `insert into event (${columns.join(', ')}) select ${values.join(', ')} from event where payment_id = '{${id}}' and sequence = 1`
}
export const copyTransfer = (
  table: string,
  id: string,
  kind: string,
  changes: Record<string, string>,
) => {
  const columns = `reference, kind, mode, debit, credit, amount, currency, at, store_id${table === 'transfer' ? '' : ', wallet_id'}`
  const values = columns.split(', ').map((column) => changes[column] ?? column)
  return `insert into ${table} (${columns}) select ${values.join(', ')} from ${table} where reference = '{${id}}' and kind = '${kind}'`
}
