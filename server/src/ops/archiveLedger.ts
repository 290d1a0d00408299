import { join } from 'node:path'
import { monthOf } from '../core/calendar.ts'
import {
  type Archive,
  archiveFileName,
  monthAfter,
  rangeOfMonth,
  recordArchive,
} from '../core/ledgerArchive.ts'
import { sealKeyOf } from '../core/ledgerSeal.ts'
import type { Database, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import {
  hashContent,
  hashFile,
  publishFile,
  removeFile,
  writeLines,
} from '../platform/ledgerFile.ts'
import {
  createFileTables,
  deleteArchived,
  hashSums,
  insertArchive,
  insertSums,
  listArchives,
  measureArchived,
  NO_SUMS,
} from '../sql/archives.ts'
import {
  prepareForManyRows,
  readDatabaseTime,
  tryLoopLock,
  useWritableSnapshot,
} from '../sql/locks.ts'
import { compareArchives } from './archiveChecks.ts'
import { isEqual, linesOf, loadFile } from './archiveFile.ts'
import { type Actor, recordAuditEntries } from './auditLog.ts'
import { STEP_TIMEOUT_MS } from './auditSteps.ts'
import { readSeals } from './ledgerSeals.ts'

/** A reason why nothing was archived. */
export class ArchiveRefused extends Error {}

export type ArchivedMonth = {
  readonly month: string
  readonly file: string
  readonly transfers: bigint
  readonly walletTransfers: bigint
  readonly bytes: number
}

/** A month can be archived this long after its end. */
const MIN_AGE_DAYS = 35
const DAY_MS = 86_400_000

type ArchiveRequest = {
  readonly secretKey: Buffer
  /** The first day of the first month that stays. */
  readonly before: string
  readonly folder: string
  readonly actor: Actor
}

/**
 * Moves the oldest month that is not archived yet, if it is before `before`, into a file. Null if there is none. One
 * transaction: the file is durable and verified before the transfers are deleted. After a crash, the transfers are still there
 * and the next attempt replaces the file with one of the same content, or the month is archived. Never replaces any other file.
 */
export async function archiveNextMonth(
  database: Database,
  request: ArchiveRequest,
): Promise<ArchivedMonth | null> {
  return database.transaction((tx) => archiveNext(tx, request), {
    statementTimeoutMs: STEP_TIMEOUT_MS,
  })
}

async function archiveNext(tx: Tx, request: ArchiveRequest): Promise<ArchivedMonth | null> {
  if (!tx.isDistributed) await useWritableSnapshot(tx)
  await prepareForManyRows(tx)
  if (!(await tryLoopLock(tx, 'ledgerSeals'))) {
    throw new ArchiveRefused(
      'An audit is running, or another process archives the ledger. Try again when it has finished.',
    )
  }
  const key = sealKeyOf(request.secretKey)
  const { sealed, findings } = await readSeals(tx, key)
  const archives = await listArchives(tx)
  const problems = [...findings, ...(await compareArchives(tx, key, { archives, sealed }))]
  if (problems.length > 0) {
    throw new ArchiveRefused('The seals differ from the ledger. Run: npx florin audit --full')
  }
  const last = archives.at(-1) ?? null
  const [oldest] = sealed.days
  const month = last ? monthAfter(last.month) : oldest && monthOf(oldest.day)
  const at = await readDatabaseTime(tx)
  const { before } = request
  if (at.getTime() < Date.parse(`${before}T00:00:00Z`) + MIN_AGE_DAYS * DAY_MS) {
    throw new ArchiveRefused(
      `Months can be archived ${MIN_AGE_DAYS} days after their end. Choose an earlier month than ${nameOf(before)}.`,
    )
  }
  const { until } = sealed
  if (month === undefined || until === null || month >= before) return null
  if (until < before) {
    throw new ArchiveRefused(
      `Days before ${until} are sealed, later ones are not. Choose an earlier month than ${nameOf(before)}, or run the audit again when no older payment is pending.`,
    )
  }
  const archived = await moveToFile(tx, { key, last, month, folder: request.folder })
  const { sha256, transfers, walletTransfers, bytes, file } = archived
  const entry = {
    action: 'ledger.archive',
    subject: `ledger_archive:${nameOf(month)}`,
    before: null,
    after: {
      file,
      sha256: sha256.toString('hex'),
      transfers: Number(transfers),
      wallet_transfers: Number(walletTransfers),
    },
  }
  await recordAuditEntries(tx, [{ by: request.actor, entry }], at)
  // The archived transfers and those that stay must add up to what is sealed.
  const all = [...archives, archived]
  if ((await compareArchives(tx, key, { archives: all, sealed })).length > 0) {
    throw new ArchiveRefused(
      `${nameOf(month)} differs from its seals. Nothing was archived. Run: npx florin audit --full`,
    )
  }
  return { month: nameOf(month), file, transfers, walletTransfers, bytes }
}

const nameOf = (month: string) => month.slice(0, 7)

async function moveToFile(
  tx: Tx,
  {
    key,
    last,
    month,
    folder,
  }: { key: Buffer; last: Archive | null; month: string; folder: string },
) {
  const range = rangeOfMonth(month)
  const figures = await measureArchived(tx, 'ledger', range)
  const file = archiveFileName(month)
  const path = join(folder, file)
  const temporary = `${path}.${process.pid}.tmp`
  let written: Awaited<ReturnType<typeof hashFile>>
  try {
    await writeLines(temporary, linesOf(tx, month, figures))
    written = await hashFile(temporary)
    // Fails if the connection was lost. Then the lock is lost too, and another process may have archived this month.
    await readDatabaseTime(tx)
    const existing = await hashContent(path)
    if (existing !== null && existing !== (await hashContent(temporary))) {
      throw new ArchiveRefused(
        `${path} has other content, perhaps the archive of another database. Nothing was archived. Choose another folder.`,
      )
    }
    await publishFile(temporary, path)
  } finally {
    await removeFile(temporary)
  }
  await createFileTables(tx)
  const loaded = await loadFile(tx, path, month)
  const found = await hashFile(path)
  if (!written || !found?.sha256.equals(written.sha256) || !isEqual(loaded, figures)) {
    throw new ArchiveRefused(
      `${path} differs from what was written. Nothing was archived. Check the disk, then try again.`,
    )
  }
  await insertSums(tx, month)
  const sums = (await hashSums(tx, range)).get(month) ?? NO_SUMS
  const archive = recordArchive(key, last, { ...figures, month, sha256: found.sha256, sums })
  await insertArchive(tx, archive)
  const deleted =
    (await deleteArchived(tx, 'store', range)) + (await deleteArchived(tx, 'wallet', range))
  mustMatch(
    deleted,
    Number(figures.transfers + figures.walletTransfers),
    'delete archived transfers',
  )
  return { ...archive, file, bytes: found.bytes }
}
