import type { Archive } from '../core/ledgerArchive.ts'
import type { DaySeal } from '../core/ledgerSeal.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns } from './columns.ts'

// Everything in the database that depends on the secret key, for its replacement. `auditSeals.ts` has the audit log.

/** A process that starts inserts the hash of its key into this table unless there is one, so it waits for this lock. */
export async function lockSecretKeyHash(tx: Tx): Promise<void> {
  await tx.execute('lock table secret_key_check in share row exclusive mode')
}

export async function replaceSecretKeyHash(tx: Tx, keyHash: Buffer): Promise<void> {
  const updated = await tx.execute('update secret_key_check set key_hash = $1', [keyHash])
  mustMatch(updated, 1, 'replace the hash of the secret key')
}

/** The connections of other processes of Florin to this database. The view is the same during a transaction unless it is cleared. */
export async function listOtherSessions(on: Queryable): Promise<{ name: string; pid: number }[]> {
  await on.query('select pg_stat_clear_snapshot()')
  return on.query(
    `select application_name as name, pid
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'florin%'
       and application_name <> current_setting('application_name')
     order by pid`,
  )
}

/** A column with secrets that are encrypted with the key, and the types of the key of its table. */
export type EncryptedColumn = {
  readonly table: string
  readonly column: string
  readonly key: Readonly<Record<string, string>>
}

const webhookSecret = { table: 'webhook_secret', key: { store_id: 'int', mode: 'text' } }
export const ENCRYPTED: Readonly<
  Record<'webhooks' | 'totp' | 'mails', readonly EncryptedColumn[]>
> = {
  webhooks: [
    { ...webhookSecret, column: 'encrypted' },
    { ...webhookSecret, column: 'previous_encrypted' },
  ],
  totp: [{ table: 'totp', column: 'secret', key: { account_id: 'text' } }],
  mails: [{ table: 'mail', column: 'content', key: { mail_id: 'text' } }],
}

// The statement of `fetchEncrypted` is prepared once for each cursor, because its result has other columns.
const cursorOf = ({ table, column }: EncryptedColumn) => `${table}_${column}`

type EncryptedRow = { readonly encrypted: Buffer } & Readonly<Record<string, unknown>>

export async function openEncrypted(tx: Tx, place: EncryptedColumn): Promise<void> {
  const { table, column, key } = place
  await tx.execute(
    `declare ${cursorOf(place)} no scroll cursor for
     select ${Object.keys(key).join(', ')}, ${column} as encrypted
     from ${table}
     where ${column} is not null`,
  )
}

export async function fetchEncrypted(tx: Tx, place: EncryptedColumn): Promise<EncryptedRow[]> {
  return tx.query<EncryptedRow>(`fetch 500 from ${cursorOf(place)}`)
}

export async function closeEncrypted(tx: Tx, place: EncryptedColumn): Promise<void> {
  await tx.execute(`close ${cursorOf(place)}`)
}

export async function replaceEncrypted(
  tx: Tx,
  { table, column, key }: EncryptedColumn,
  rows: readonly EncryptedRow[],
): Promise<void> {
  const names = Object.keys(key)
  const arrays = [...Object.values(key), 'bytea'].map((type, index) => `$${index + 1}::${type}[]`)
  const updated = await tx.execute(
    `update ${table} t
     set ${column} = v.encrypted
     from unnest(${arrays.join(', ')}) as v (${names.join(', ')}, encrypted)
     where ${names.map((name) => `t.${name} = v.${name}`).join(' and ')}`,
    columns(rows, ...names, 'encrypted'),
  )
  mustMatch(updated, rows.length, `encrypt ${table} again`)
}

export async function replaceDayMacs(tx: Tx, seals: readonly DaySeal[]): Promise<void> {
  const updated = await tx.execute(
    `update day_seal d
     set mac = v.mac
     from unnest($1::date[], $2::bytea[]) as v (day, mac)
     where d.day = v.day`,
    columns(seals, 'day', 'mac'),
  )
  mustMatch(updated, seals.length, 'replace seals of days')
}

export async function replaceArchiveMacs(tx: Tx, archives: readonly Archive[]): Promise<void> {
  const updated = await tx.execute(
    `update archive a
     set mac = v.mac
     from unnest($1::date[], $2::bytea[]) as v (month, mac)
     where a.month = v.month`,
    columns(archives, 'month', 'mac'),
  )
  mustMatch(updated, archives.length, 'replace records of archives')
}
