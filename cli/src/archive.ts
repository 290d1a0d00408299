import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseMonth } from '@florin/server/core/ledgerArchive.js'
import {
  type ArchivedMonth,
  ArchiveRefused,
  archiveNextMonth,
} from '@florin/server/ops/archiveLedger.js'
import { auditLedger } from '@florin/server/ops/auditLedger.js'
import type { Service } from '@florin/server/service.js'
import { createAuditProgress } from './auditProgress.ts'
import { Refused, UsageError } from './failure.ts'
import { commandLineName, withService } from './local.ts'
import { print, printLine, showProgress } from './print.ts'

type Options = { readonly json: boolean; readonly before: string; readonly to: string }

/** Audits the ledger, and moves the transfers of payments before the month `before` to files, oldest month first. */
export async function archive({ json, before, to }: Options): Promise<void> {
  const firstDay = parseMonth(before)
  if (firstDay === null) throw new UsageError('--before must be a month, such as 2026-01.')
  await checkFolder(to, constants.W_OK)
  const months: ArchivedMonth[] = []
  const show = (month: ArchivedMonth) => {
    months.push(month)
    if (!json) printLine(describe(month))
  }
  const report = () => print({ months: months.map(viewOf) }, { json, columns: null })
  try {
    await withService(async ({ service }) => {
      await refuseErrors(service)
      await archiveMonths(service, { before: firstDay, folder: resolve(to) }, show)
    })
  } catch (error) {
    // The months before the error stay archived.
    if (json && months.length > 0) report()
    throw error
  }
  if (json) return report()
  printLine(
    months.length === 0
      ? `There is nothing to archive before ${before}.`
      : 'Copy the files to another place: the database no longer has these transfers.',
  )
}

/** Refuses a folder that is missing or lacks this permission. */
export async function checkFolder(folder: string, permission: number): Promise<void> {
  // An unset variable of a script must not mean the current folder.
  if (folder === '') throw new UsageError('Name a folder: it must not be empty.')
  const isUsable = await access(`${resolve(folder)}/.`, permission).then(
    () => true,
    () => false,
  )
  if (isUsable) return
  const use = permission === constants.W_OK ? 'written to' : 'read'
  throw new UsageError(`The folder ${resolve(folder)} does not exist or can't be ${use}.`)
}

/** Refuses to archive a ledger with errors. */
async function refuseErrors({ database, secretKey }: Service): Promise<void> {
  const { onCheck, onProgress, end } = createAuditProgress()
  const connections = availableParallelism()
  const seals = { secretKey, scope: 'new' } as const
  try {
    const { checks } = await auditLedger(database, { onCheck, onProgress, connections, seals })
    if (checks.every(({ findings }) => findings.length === 0)) return
  } finally {
    end()
  }
  throw new Refused('The ledger has errors, so nothing was archived. See: npx florin audit')
}

async function archiveMonths(
  { database, secretKey }: Service,
  request: { readonly before: string; readonly folder: string },
  onMonth: (month: ArchivedMonth) => void,
): Promise<void> {
  const actor = { name: commandLineName(), requestId: null }
  try {
    for (;;) {
      showProgress('Archiving the next month…')
      const month = await archiveNextMonth(database, { ...request, secretKey, actor })
      showProgress('')
      if (month === null) return
      onMonth(month)
    }
  } catch (error) {
    throw error instanceof ArchiveRefused ? new Refused(error.message) : error
  } finally {
    showProgress('')
  }
}

const viewOf = ({ month, file, transfers, walletTransfers, bytes }: ArchivedMonth) => ({
  month,
  file,
  transfers: Number(transfers),
  wallet_transfers: Number(walletTransfers),
  bytes,
})

const describe = ({ month, file, transfers, walletTransfers, bytes }: ArchivedMonth) =>
  `${month}: ${transfers} transfers of stores and ${walletTransfers} of wallets are in ${file}, ${bytes} bytes.`
