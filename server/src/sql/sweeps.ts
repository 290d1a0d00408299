import type { Queryable, Tx } from '../database/database.ts'

/** Up to when the named sweep has left nothing behind. */
export async function findSweep(on: Queryable, name: 'expiry'): Promise<Date> {
  const rows = await on.query<{ doneUntil: Date }>(
    'select done_until as "doneUntil" from sweep where name = $1',
    [name],
  )
  return rows[0]?.doneUntil ?? new Date(0)
}

export async function advanceSweep(tx: Tx, name: 'expiry', marginMs: number): Promise<void> {
  await tx.execute(
    `update sweep
     set done_until = now() - $2::int * interval '1 millisecond'
     where name = $1 and done_until < now() - $2::int * interval '1 millisecond'`,
    [name, marginMs],
  )
}
