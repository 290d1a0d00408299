import type { Queryable, Tx } from '../database/database.ts'

type SecuritySetting = 'operator_second_factor'

/** When the setting was turned on; null if it is off. */
export async function findSecuritySetting(
  on: Queryable,
  name: SecuritySetting,
): Promise<Date | null> {
  const rows = await on.query<{ since: Date }>(
    'select since from security_setting where name = $1',
    [name],
  )
  return rows[0]?.since ?? null
}

/** Turns a setting on, or off with null. */
export async function setSecuritySetting(
  tx: Tx,
  name: SecuritySetting,
  since: Date | null,
): Promise<void> {
  await tx.execute('delete from security_setting where name = $1', [name])
  if (since === null) return
  await tx.execute('insert into security_setting (name, since) values ($1, $2)', [name, since])
}
