import { randomBytes } from 'node:crypto'
import { MAX_FINDINGS } from '@florin/contract/values.js'
import {
  CHAIN_START,
  type ChainHead,
  chainKeyOf,
  formatHead,
  isSealOf,
  resealEntry,
  sealEntry,
} from '../core/auditChain.ts'
import { fingerprintOf } from '../core/secrets.ts'
import type { Database, Queryable, Tx } from '../database/database.ts'
import {
  countSealsAndUnsealed,
  findLastSeal,
  findSealedHorizon,
  findSealHash,
  insertSeals,
  listInserted,
  listSeals,
  listUnsealed,
  replaceSeals,
  type SealedEntry,
  type StoredSeal,
} from '../sql/auditSeals.ts'
import { type Finding, findingsOf } from '../sql/ledgerChecks.ts'
import { lockGlobal } from '../sql/locks.ts'
import { findSecretKeyHash } from '../sql/secrets.ts'

const SEAL_BATCH_SIZE = 500
const VERIFY_BATCH_SIZE = 2_000
const SALT_BYTES = 16
/** A transaction commits sooner than this after it writes an entry, unless its COMMIT waits for a standby. */
const MAX_COMMIT_SECONDS = 600

/**
 * Seals the new entries of the audit log, in the order in which they become visible. An entry that commits late
 * is sealed after entries with higher ids. An entry that appears below ids that were sealed long ago is not
 * sealed: the verification reports it as inserted. Returns the number of sealed entries.
 */
export async function sealAuditLog(
  database: Database,
  secretKey: Buffer,
  {
    isStopped = () => false,
    batchSize = SEAL_BATCH_SIZE,
  }: { isStopped?: () => boolean; batchSize?: number } = {},
): Promise<number> {
  let after = await findSealedHorizon(database, MAX_COMMIT_SECONDS)
  let total = 0
  while (!isStopped()) {
    const { sealed, last } = await sealBatch(database, secretKey, { after, limit: batchSize })
    total += sealed
    if (last === null) return total
    after = last
  }
  return total
}

async function sealBatch(
  database: Database,
  secretKey: Buffer,
  range: { after: bigint; limit: number },
): Promise<{ sealed: number; last: bigint | null }> {
  // Most passes find nothing and need no lock.
  if ((await listUnsealed(database, { ...range, limit: 1 })).length === 0) {
    return { sealed: 0, last: null }
  }
  const key = chainKeyOf(secretKey)
  return database.transaction(async (tx) => {
    await lockGlobal(tx, 'auditSeals')
    // A process that was cut off from the database can have missed that the key was replaced. Its seals would look forged.
    if (await isOtherKey(tx, secretKey)) return { sealed: 0, last: null }
    const entries = await listUnsealed(tx, range)
    const newest = await findLastSeal(tx)
    let { position, hash: previous } = newest ?? { position: 0n, hash: CHAIN_START }
    const seals = entries.map((entry): StoredSeal => {
      const seal = sealEntry(key, { previous, entry, salt: randomBytes(SALT_BYTES) })
      position += 1n
      previous = seal.hash
      return { position, entryId: entry.entryId, ...seal }
    })
    if (seals.length > 0) await insertSeals(tx, seals)
    return { sealed: seals.length, last: entries.at(-1)?.entryId ?? null }
  })
}

async function isOtherKey(on: Queryable, secretKey: Buffer): Promise<boolean> {
  const keyHash = await findSecretKeyHash(on)
  return keyHash !== null && !keyHash.equals(fingerprintOf(secretKey))
}

export type ChainAudit = {
  readonly findings: readonly Finding[]
  readonly sealed: bigint
  readonly unsealed: bigint
  /** Null if nothing is sealed yet. */
  readonly head: string | null
}

export const CHAIN_CHECK = 'the audit log is complete and unchanged'
const finding = findingsOf(CHAIN_CHECK)

/**
 * Verifies the chain in batches. Reports changed, removed and moved entries in the order of the chain, then inserted
 * entries, up to a limit. `noted` is a head that was noted earlier; it must still be part of the chain.
 */
export async function verifyAuditChain(
  database: Queryable,
  secretKey: Buffer,
  {
    noted = null,
    batchSize = VERIFY_BATCH_SIZE,
  }: { noted?: ChainHead | null; batchSize?: number } = {},
): Promise<ChainAudit> {
  const { seals: sealed, unsealed } = await countSealsAndUnsealed(database)
  if (await isOtherKey(database, secretKey)) {
    const found = 'another key: set FLORIN_SECRET_KEY to the key of the database'
    const findings = [finding('secret key', 'the key that sealed the audit log', found)]
    return { findings, sealed, unsealed, head: null }
  }
  const findings: Finding[] = []
  // Read the horizon first: entries that are sealed during the verification are not below it.
  const horizon = await findSealedHorizon(database, MAX_COMMIT_SECONDS)
  const walked = await walkSeals(database, chainKeyOf(secretKey), batchSize)
  findings.push(...walked.findings)
  for (const entry of await listInserted(database, { until: horizon, limit: MAX_FINDINGS })) {
    findings.push(finding(nameOf(entry), 'sealed when it was written', 'inserted later'))
  }
  if (noted !== null) findings.push(...(await compareHead(database, noted)))
  const head = walked.last && formatHead(walked.last)
  return { findings: findings.slice(0, MAX_FINDINGS), sealed, unsealed, head }
}

async function walkSeals(database: Queryable, key: Buffer, batchSize: number) {
  const findings: Finding[] = []
  let last: ChainHead | null = null
  let position = 0n
  let previous = CHAIN_START
  for (;;) {
    const seals = await listSeals(database, { after: position, limit: batchSize })
    for (const seal of seals) {
      const problem = problemOf(seal, { key, position, previous })
      if (problem !== null && findings.length < MAX_FINDINGS) findings.push(problem)
      position = seal.position
      previous = seal.hash
    }
    if (seals.length > 0) last = { position, hash: previous.toString('hex') }
    if (seals.length < batchSize) return { findings, last }
  }
}

/**
 * Seals the log again with another key, in batches. A broken seal stays as it is, so it stays broken. Returns the new head; null
 * if nothing is sealed.
 */
export async function resealAuditLog(
  tx: Tx,
  {
    oldKey,
    newKey,
    onProgress,
    batchSize = VERIFY_BATCH_SIZE,
  }: {
    oldKey: Buffer
    newKey: Buffer
    onProgress: (position: bigint) => void
    batchSize?: number
  },
): Promise<ChainHead | null> {
  const [oldChainKey, newChainKey] = [chainKeyOf(oldKey), chainKeyOf(newKey)]
  let position = 0n
  let oldPrevious = CHAIN_START
  let previous = CHAIN_START
  for (;;) {
    const sealed = await listSeals(tx, { after: position, limit: batchSize })
    const seals = sealed.map((seal): StoredSeal => {
      const isBroken =
        problemOf(seal, { key: oldChainKey, position, previous: oldPrevious }) !== null
      const entry = { contents: seal.contents!, personal: seal.personal }
      const resealed = isBroken ? seal : resealEntry(newChainKey, { previous, entry, seal })
      position = seal.position
      oldPrevious = seal.hash
      previous = resealed.hash
      return { position, entryId: seal.entryId, ...resealed }
    })
    await replaceSeals(tx, seals)
    onProgress(position)
    if (sealed.length < batchSize) break
  }
  return position === 0n ? null : { position, hash: previous.toString('hex') }
}

/** Each seal is checked against the stored hash before it, so one change is reported once. */
function problemOf(
  seal: SealedEntry,
  { key, position, previous }: { key: Buffer; position: bigint; previous: Buffer },
): Finding | null {
  const { contents, personal, isErased } = seal
  if (seal.position !== position + 1n) {
    const gap = `seal ${position + 1n}`
    const before = `before ${nameOf(seal)}`
    return finding(gap, 'present', `removed, with or without its entry, ${before}`)
  }
  if (contents === null) return finding(nameOf(seal), 'present', 'removed')
  const entry = { contents, personal }
  if (isSealOf(key, { previous, entry, seal, isErased })) return null
  return finding(nameOf(seal), 'as it was sealed', 'changed or moved')
}

async function compareHead(database: Queryable, noted: ChainHead): Promise<Finding[]> {
  const hash = await findSealHash(database, noted.position)
  if (hash?.toString('hex') === noted.hash) return []
  const last = await findLastSeal(database)
  const truncated = `${last?.position ?? 0n} sealed entries: newer ones were removed`
  return [finding(`head ${noted.position}`, noted.hash, hash?.toString('hex') ?? truncated)]
}

/** Seals and verifies the log while the service runs. Keeps the newest seal to detect a truncated chain. */
export function createAuditChain(
  database: Database,
  secretKey: Buffer,
  onBroken: (findings: readonly Finding[]) => void,
) {
  let head: ChainHead | null = null
  let sealed: number | null = null
  let isBroken = false

  function report(findings: readonly Finding[]): void {
    if (findings.length === 0) return
    isBroken = true
    onBroken(findings)
  }

  return {
    async seal(isStopped: () => boolean): Promise<void> {
      if (head !== null) report(await compareHead(database, head))
      await sealAuditLog(database, secretKey, { isStopped })
      const last = await findLastSeal(database)
      head = last && { position: last.position, hash: last.hash.toString('hex') }
      sealed = Number(last?.position ?? 0n)
    },
    async verify(): Promise<void> {
      report((await verifyAuditChain(database, secretKey)).findings)
    },
    /** `sealed` is null until the first `seal` has ended. `isBroken` stays true until the process restarts. */
    state: () => ({ sealed, isBroken }),
  }
}

const nameOf = (entry: { entryId: bigint; action: string | null; subject: string | null }) =>
  entry.action === null
    ? `entry ${entry.entryId}`
    : `entry ${entry.entryId} (${entry.action} ${entry.subject})`
