import { join } from 'node:path'
import { MAX_FINDINGS } from '@florin/contract/values.js'
import { monthOf } from '../core/calendar.ts'
import { type Archive, archiveFileName, brokenArchives, cutoffOf } from '../core/ledgerArchive.ts'
import type { Database, Tx } from '../database/database.ts'
import { hashFile } from '../platform/ledgerFile.ts'
import {
  createFileTables,
  hashSums,
  listArchives,
  measureRemaining,
  NO_SUMS,
} from '../sql/archives.ts'
import { type Finding, findingsOf } from '../sql/ledgerChecks.ts'
import { prepareForManyRows } from '../sql/locks.ts'
import { isEqual, loadFile } from './archiveFile.ts'
import { STEP_TIMEOUT_MS } from './auditSteps.ts'
import type { SealedLedger } from './ledgerSeals.ts'

export const ARCHIVE_CHECK = 'archived months are unchanged'
const finding = findingsOf(ARCHIVE_CHECK)

/**
 * Verifies the records of the archives. Compares counts and hashes: every sealed transfer of an archived month must be in its
 * archive or still in the database. Reads only the transfers of archived months that are still in the database, which are few.
 */
export async function compareArchives(
  tx: Tx,
  key: Buffer,
  { archives, sealed }: { archives: readonly Archive[]; sealed: SealedLedger },
): Promise<Finding[]> {
  const findings = brokenArchives(key, archives).map((month) =>
    finding(month, 'a record as it was written', 'changed, or a month before is missing or new'),
  )
  const cutoff = cutoffOf(archives)
  const [stores, wallets] = [
    await measureRemaining(tx, 'store', cutoff),
    await measureRemaining(tx, 'wallet', cutoff),
  ]
  for (const archive of archives) {
    const { month } = archive
    const isOfMonth = ({ day }: { day: string }) => monthOf(day) === month
    const days = sealed.days.filter(isOfMonth)
    const storeDays = sealed.storeDays.filter(isOfMonth)
    const parts = [
      {
        name: 'transfers of stores',
        sealed: storeDays.map((day) => ({ count: day.transfers, hash: day.transferHash })),
        archived: { count: archive.transfers, hash: archive.transferHash },
        remaining: stores.filter((rows) => rows.month === month),
      },
      {
        name: 'transfers of wallets',
        sealed: days.map((day) => ({ count: day.walletTransfers, hash: day.walletHash })),
        archived: { count: archive.walletTransfers, hash: archive.walletTransferHash },
        remaining: wallets.filter((rows) => rows.month === month),
      },
    ]
    for (const part of parts) {
      const expected = describeTotal(part.sealed)
      const found = describeTotal([part.archived, ...part.remaining])
      if (expected !== found) findings.push(finding(`${part.name} in ${month}`, expected, found))
    }
  }
  return findings.slice(0, MAX_FINDINGS)
}

function describeTotal(
  parts: readonly { readonly count: bigint; readonly hash: string }[],
): string {
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
  const count = sum(parts.map((part) => part.count))
  return `${count} transfers (hash ${sum(parts.map((part) => BigInt(part.hash)))})`
}

/** Compares the sums of archived transfers with the records. */
export async function compareSums(tx: Tx, archives: readonly Archive[]): Promise<Finding[]> {
  const found = await hashSums(tx, { from: '-infinity', to: 'infinity' })
  const expected = new Map(archives.map(({ month, sums }) => [month, sums]))
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((month) => (expected.get(month) ?? NO_SUMS) !== (found.get(month) ?? NO_SUMS))
    .map((month) =>
      finding(
        `sums of ${month}`,
        expected.get(month) ?? 'no archive',
        found.get(month) ?? 'no rows',
      ),
    )
    .slice(0, MAX_FINDINGS)
}

/** Reads the files of all archives in a folder, and compares them with their records. */
export async function checkFiles(
  database: Database,
  folder: string,
  onFile: (name: string) => void = () => {},
): Promise<readonly Finding[]> {
  return database.transaction(
    async (tx) => {
      await prepareForManyRows(tx)
      await createFileTables(tx)
      const archives = await listArchives(tx)
      const findings: Finding[] = []
      for (const archive of archives) {
        const name = archiveFileName(archive.month)
        onFile(name)
        const problem = await checkFile(tx, join(folder, name), archive)
        if (problem !== null) findings.push({ ...problem, check: FILE_CHECK, subject: name })
      }
      return findings
    },
    { statementTimeoutMs: STEP_TIMEOUT_MS },
  )
}

export const FILE_CHECK = 'files of archived months are unchanged'

async function checkFile(tx: Tx, path: string, archive: Archive) {
  const file = await hashFile(path)
  if (file === null) return { expected: 'a file', found: 'none' }
  if (!file.sha256.equals(archive.sha256)) {
    return {
      expected: `SHA-256 ${archive.sha256.toString('hex')}`,
      found: file.sha256.toString('hex'),
    }
  }
  const figures = await loadFile(tx, path, archive.month)
  if (isEqual(figures, archive)) return null
  return { expected: 'the archived transfers', found: 'other transfers' }
}
