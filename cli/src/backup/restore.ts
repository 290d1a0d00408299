import { chown, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { parseTime } from '@florin/server/core/calendar.js'
import { ARCHIVE_ID, archiveOwner, takeArchive } from '@florin/server/embedded/archive/owner.js'
import {
  type FileOwner,
  findPostmaster,
  otherOwner,
  syncFolder,
} from '@florin/server/embedded/cluster.js'
import { createFolder } from '@florin/server/embedded/createFolder.js'
import { BEFORE_RESTORE, RESTORING } from '@florin/server/embedded/interruptedRestore.js'
import { auditLedger } from '@florin/server/ops/auditLedger.js'
import { Refused, UsageError } from '../failure.ts'
import { runInterruptible } from '../interrupt.ts'
import { withService } from '../local.ts'
import { showProgress } from '../print.ts'
import { backupFileError, INDEX, readArchive } from './archive.ts'
import { BESIDE_CLUSTER, formatPercent, readEmbeddedConfig } from './backup.ts'
import { KEYS, type KeyPaths, placeKeys } from './keys.ts'
import { isSameDatabase, listArchived, recover } from './recover.ts'
import { findPresent, swap } from './swap.ts'
import type { TarEntry } from './tar.ts'

const DATA = ['postgres', ...BESIDE_CLUSTER]

type RestoreReport = {
  readonly folder: string
  readonly made_at: string
  /** Time of the last replayed change, or of the backup if there was none; null without --until. */
  readonly until: string | null
  readonly payments: number
  /** Folder with the old data; null if there was none. */
  readonly kept_aside: string | null
  /** Whether the restored database can write to FLORIN_ARCHIVE; null if that is not set. */
  readonly may_archive: boolean | null
  /** Sources of the keys: files, settings or the backup. */
  readonly keys: readonly string[]
  /** Whether the backup contains a key. Only backups of earlier versions do. */
  readonly contained_key: boolean
}

/** Parses --until, in UTC unless the time has an offset. */
export function parseUntil(text: string | undefined): Date | 'latest' | null {
  if (text === undefined || text === 'latest') return text ?? null
  const at = parseTime(text)
  if (at !== null) return at
  throw new UsageError('--until must be a time such as "2026-01-31 08:00:00", or latest.')
}

/**
 * Replaces the data in FLORIN_DATA with a backup. Unpacks the backup next to the data, verifies every byte, starts, migrates
 * and audits it, and only then swaps the files. The old data is kept.
 */
export async function restore(
  file: string,
  {
    replace,
    until,
    takesArchive = false,
    keyPaths = {},
  }: {
    replace: boolean
    until: Date | 'latest' | null
    takesArchive?: boolean
    keyPaths?: KeyPaths
  },
): Promise<RestoreReport> {
  const config = readEmbeddedConfig()
  const { dataFolder: folder, archiveFolder: archive } = config
  if (until !== null && archive === null) {
    throw new Refused('--until needs the archived log: set FLORIN_ARCHIVE to its folder.')
  }
  if (takesArchive && archive === null) {
    throw new Refused('--take-archive needs an archive: set FLORIN_ARCHIVE to its folder.')
  }
  await refuseRunning(folder)
  const { size } = await stat(file).catch((error) => {
    throw backupFileError(error, file)
  })
  const archived = archive === null ? [] : await listArchived(archive)
  if ((until !== null || takesArchive) && archived.length === 0) {
    throw new Refused(
      `There is no log in ${archive}. Check FLORIN_ARCHIVE, and that its disk is mounted.`,
    )
  }
  const present = await findPresent(folder, DATA)
  if (present.length > 0 && !replace) throw alreadyPresent(folder, present)
  await createFolder(folder)
  // Inside the folder, which may be its own volume, so that files can be renamed instead of copied.
  const staging = await mkdtemp(join(folder, RESTORING))
  try {
    const owner = await otherOwner(folder)
    if (owner) await chown(staging, owner.uid, owner.gid)
    const restored = await runInterruptible(async (check) => {
      const index = await readArchive(file, {
        onEntry: (entry) => unpack(entry, staging, owner),
        onBytes: (read) => {
          check()
          showProgress(`Unpacking: ${formatPercent(read, size)}`)
        },
      })
      if (until instanceof Date && until < new Date(index.made_at)) {
        throw new Refused('This backup was made after the time in --until. Use an older backup.')
      }
      const { 'secret.key': secretKeyHash, ...otherHashes } = index.keys ?? {}
      // The log may contain a replacement of the secret key. The start of the copy checks it at the end of the log.
      const isChecked = until === null && secretKeyHash !== undefined
      const hashes = isChecked ? { ...otherHashes, 'secret.key': secretKeyHash } : otherHashes
      const keys = await placeKeys(staging, { folder, keyPaths, hashes })
      if (owner) await chownKeys(staging, owner)
      // Don't overwrite other keys: they may be the only copy of another database's keys.
      const others = await findPresent(folder, keyFiles(keys.filter((key) => !key.isInFolder)))
      if (others.length > 0 && !replace) throw alreadyPresent(folder, others)
      showProgress('Starting the database…')
      const ownsArchive =
        archive !== null && (await archiveOwner(archive, folder)) === 'this folder'
      const isOtherDatabase =
        present.includes('postgres') && !(await isSameDatabase(folder, staging))
      if (until !== null && ownsArchive && isOtherDatabase) {
        throw new Refused(
          'The backup and the archived log belong to different databases. Set FLORIN_ARCHIVE to the archive of this backup.',
        )
      }
      const replaced =
        ownsArchive && !isOtherDatabase && present.includes('postgres') ? folder : null
      const { database, reached } = await recover(staging, { archive, archived, until, replaced })
      // Don't archive the log of the copy before the restore has succeeded.
      const copy = { ...config, dataFolder: staging, archiveFolder: null }
      let payments: number
      try {
        payments = await verify(copy)
      } finally {
        await database.stop()
      }
      check()
      return { ...index, payments, reached, keepsArchive: ownsArchive && !isOtherDatabase, keys }
    })
    const { made_at, payments, reached, keepsArchive, keys } = restored
    if (await findPostmaster(join(staging, 'postgres'))) {
      throw new Refused(
        'Another program uses the unpacked copy. Nothing was changed. Stop that program, then try again.',
      )
    }
    await refuseRunning(folder)
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    // Keys that are already in the folder stay there.
    const keptFiles = keyFiles(keys.filter((key) => key.isInFolder))
    for (const file of keptFiles) await rm(join(staging, file), { force: true })
    const movedFiles = [...DATA, ...keyFiles(KEYS).filter((file) => !keptFiles.includes(file))]
    // A database that continues without the archive does not know which names are used there, so the archive id stays
    // with the old data.
    const names = keepsArchive ? movedFiles : [...movedFiles, ARCHIVE_ID]
    const found = await findPresent(folder, names)
    const oldFolder = found.length > 0 ? join(folder, `${BEFORE_RESTORE}${stamp}`) : null
    if (present.length === 0 && found.some((name) => DATA.includes(name))) {
      throw new Refused(
        `Another program wrote data into ${folder} in the meantime. Nothing was changed. Stop that program, then try again.`,
      )
    }
    await swap({ names, from: staging, to: folder, oldFolder })
    if (takesArchive && archive !== null) await takeArchive(archive, folder)
    const may_archive =
      archive === null ? null : (await archiveOwner(archive, folder)) !== 'another'
    const at = until && (reached?.toISOString() ?? made_at)
    return {
      folder,
      made_at,
      until: at,
      payments,
      kept_aside: oldFolder,
      may_archive,
      keys: keys.map(({ from }) => from),
      contained_key: keys.some(({ isInBackup }) => isInBackup),
    }
  } finally {
    showProgress('')
    await rm(staging, { recursive: true, force: true })
  }
}

const keyFiles = (keys: readonly { readonly file: string }[]) => keys.map(({ file }) => file)

const alreadyPresent = (folder: string, names: readonly string[]) =>
  new Refused(
    `${folder} already has ${names.join(', ')}. Use --replace to replace them; the old files are kept.`,
  )

async function chownKeys(folder: string, owner: FileOwner): Promise<void> {
  for (const file of await findPresent(folder, keyFiles(KEYS)))
    await chown(join(folder, file), owner.uid, owner.gid)
}

async function refuseRunning(folder: string): Promise<void> {
  const server = await findPostmaster(join(folder, 'postgres'))
  if (server === undefined) return
  throw new Refused(
    `The database in ${folder} is running (process ${server.pid}). Stop Florin first.`,
  )
}

async function makeFolder(path: string, owner: FileOwner | undefined): Promise<void> {
  await createFolder(path)
  if (owner) await chown(path, owner.uid, owner.gid)
}

async function unpack(
  entry: TarEntry,
  folder: string,
  owner: FileOwner | undefined,
): Promise<void> {
  const path = join(folder, entry.path)
  if (entry.kind === 'folder') return makeFolder(path, owner)
  await makeFolder(dirname(path), owner)
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of entry.data) await handle.writeFile(chunk)
    if (owner) await handle.chown(owner.uid, owner.gid)
    // PostgreSQL syncs the cluster itself when it starts from a backup.
    if (!entry.path.startsWith('postgres/') && entry.path !== INDEX) await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Checks that the database starts, migrates, has its keys and passes the audit. Returns the number of payments. */
async function verify(config: ReturnType<typeof readEmbeddedConfig>): Promise<number> {
  const { checks, totals } = await withService(
    ({ service }) =>
      auditLedger(service.database, {
        onCheck: (name) => showProgress(`Checking the ledger: ${name}…`),
        connections: availableParallelism(),
      }),
    { config, upgrade: true },
  )
  await syncFolder(config.dataFolder)
  const wrong = checks.filter(({ findings }) => findings.length > 0)
  if (wrong.length === 0) return Number(totals.payments)
  throw new Refused(
    `The ledger in this backup has errors: ${wrong.map(({ name }) => name).join('; ')}. Nothing was changed. Use another backup.`,
  )
}
