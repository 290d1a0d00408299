import type { Seal, SealedText } from '../core/auditChain.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns } from './columns.ts'
import { PERSONAL_FIELDS } from './erasure.ts'

const withoutPersonal = (column: string) => `
  case
    when a.subject like 'wallet:%' and jsonb_typeof(a.${column}) = 'object'
    then a.${column} - ${PERSONAL_FIELDS}
    else a.${column}
  end`

// The same jsonb value always has the same text. Times are numbers, because their text depends on settings.
const SEALED_TEXT = `
  jsonb_build_array(
    a.entry_id, (extract(epoch from a.at) * 1000000)::bigint, a.actor, a.action, a.subject,
    ${withoutPersonal('before')}, ${withoutPersonal('after')}, a.request_id, a.act_id
  )::text as contents,
  case
    when (a.before, a.after) is distinct from (${withoutPersonal('before')}, ${withoutPersonal('after')})
    then jsonb_build_array(a.before, a.after)::text
  end as personal`

/** Entries without a seal whose id is above `after`, in order of their ids. */
export async function listUnsealed(
  on: Queryable,
  { after, limit }: { after: bigint; limit: number },
): Promise<(SealedText & { entryId: bigint })[]> {
  return on.query(
    `select a.entry_id as "entryId", ${SEALED_TEXT}
     from audit_log a
     where a.entry_id > $1
       and not exists (select 1 from audit_seal s where s.entry_id = a.entry_id)
     order by a.entry_id
     limit $2`,
    [after, limit],
  )
}

export type StoredSeal = Seal & { readonly position: bigint; readonly entryId: bigint }

export async function insertSeals(tx: Tx, seals: readonly StoredSeal[]): Promise<void> {
  await tx.execute(
    `insert into audit_seal (position, entry_id, hash, personal_hash, personal_salt, sealed_at)
     select v.position, v.entry_id, v.hash, v.personal_hash, v.personal_salt, clock_timestamp()
     from unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[], $5::bytea[])
       as v (position, entry_id, hash, personal_hash, personal_salt)`,
    columns(seals, 'position', 'entryId', 'hash', 'personalHash', 'personalSalt'),
  )
}

/** Replaces the hashes of seals. Everything else stays as it is. */
export async function replaceSeals(tx: Tx, seals: readonly StoredSeal[]): Promise<void> {
  const updated = await tx.execute(
    `update audit_seal s
     set hash = v.hash, personal_hash = v.personal_hash
     from unnest($1::bigint[], $2::bytea[], $3::bytea[]) as v (position, hash, personal_hash)
     where s.position = v.position`,
    columns(seals, 'position', 'hash', 'personalHash'),
  )
  mustMatch(updated, seals.length, 'replace seals of the audit log')
}

export async function findLastSeal(on: Queryable) {
  const rows = await on.query<{ position: bigint; hash: Buffer }>(
    'select position, hash from audit_seal order by position desc limit 1',
  )
  return rows[0] ?? null
}

export async function findSealHash(on: Queryable, position: bigint): Promise<Buffer | null> {
  const rows = await on.query<{ hash: Buffer }>('select hash from audit_seal where position = $1', [
    position,
  ])
  return rows[0]?.hash ?? null
}

/** How many seals to read: the newest may be of entries that committed late, with lower ids than those that were sealed before. */
const MAX_LATE_ENTRIES = 1000

/**
 * The highest entry id that was sealed at least `ageSeconds` ago. An entry below it that still has no seal was not
 * visible at that time.
 */
export async function findSealedHorizon(on: Queryable, ageSeconds: number): Promise<bigint> {
  const rows = await on.query<{ horizon: bigint }>(
    `select coalesce(max(s.entry_id), 0) as horizon
     from (
       select entry_id
       from audit_seal
       where sealed_at <= now() - $1::int * interval '1 second'
       order by sealed_at desc
       limit $2
     ) s`,
    [ageSeconds, MAX_LATE_ENTRIES],
  )
  return rows[0]!.horizon
}

/** A seal with its entry. `contents`, `personal`, `action` and `subject` are null if the entry was removed. */
export type SealedEntry = StoredSeal & {
  readonly contents: string | null
  readonly personal: string | null
  readonly action: string | null
  readonly subject: string | null
  readonly isErased: boolean
}

/** In the order of the chain. */
export async function listSeals(
  on: Queryable,
  { after, limit }: { after: bigint; limit: number },
): Promise<SealedEntry[]> {
  return on.query<SealedEntry>(
    `select s.position, s.entry_id as "entryId", s.hash, s.personal_hash as "personalHash",
       s.personal_salt as "personalSalt", a.action, a.subject,
       case when a.entry_id is not null then e.contents end as contents, e.personal,
       s.personal_hash is not null and s.personal_salt is null and exists (
         select 1 from audit_log o where o.subject = a.subject and o.action = 'wallet.erase'
       ) as "isErased"
     from audit_seal s
     left join audit_log a on a.entry_id = s.entry_id
     cross join lateral (select ${SEALED_TEXT}) e
     where s.position > $1
     order by s.position
     limit $2`,
    [after, limit],
  )
}

export async function countSealsAndUnsealed(on: Queryable) {
  const rows = await on.query<{ seals: bigint; unsealed: bigint }>(
    `select (select count(*) from audit_seal) as seals,
       (select count(*)
        from audit_log a
        where not exists (select 1 from audit_seal s where s.entry_id = a.entry_id)) as unsealed`,
  )
  return rows[0]!
}

/** Entries with ids up to `until` that have no seal. */
export async function listInserted(
  on: Queryable,
  { until, limit }: { until: bigint; limit: number },
): Promise<{ entryId: bigint; action: string; subject: string }[]> {
  return on.query(
    `select a.entry_id as "entryId", a.action, a.subject
     from audit_log a
     where a.entry_id <= $1
       and not exists (select 1 from audit_seal s where s.entry_id = a.entry_id)
     order by a.entry_id
     limit $2`,
    [until, limit],
  )
}

/** For an erased payer. The hashes of the personal data stay, but can no longer be matched to any data. */
export async function deletePersonalSalts(tx: Tx, subject: string): Promise<void> {
  await tx.execute(
    `update audit_seal s
     set personal_salt = null
     from audit_log a
     where a.subject = $1 and s.entry_id = a.entry_id and s.personal_salt is not null`,
    [subject],
  )
}
