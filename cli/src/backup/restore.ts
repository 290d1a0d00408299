import { chown, mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseTime } from '@florin/server/core/calendar.js'
import { type EmbeddedDatabase, startEmbedded } from '@florin/server/database/embedded.js'
import {
  findPostmaster,
  type Owner,
  otherOwner,
  syncFolder,
} from '@florin/server/database/embeddedCluster.js'
import { auditLedger } from '@florin/server/ops/auditLedger.js'
import { Misused, Refused } from '../failure.ts'
import { interruptible } from '../interrupt.ts'
import { reasonOf, withService } from '../local.ts'
import { progress } from '../print.ts'
import { INDEX, readArchive } from './archive.ts'
import { BESIDE_CLUSTER, embeddedConfig, percent } from './backup.ts'
import { presentIn, swap } from './swap.ts'
import type { TarEntry } from './tar.ts'

const NAMES = ['postgres', ...BESIDE_CLUSTER]

export type RestoreReport = {
  readonly folder: string
  readonly made_at: string
  /** Up to when what happened after the backup is in it as well; null where none of it is. */
  readonly until: string | null
  readonly payments: number
  /** Where what was there before is now; null where there was nothing. */
  readonly kept_aside: string | null
}

/** A time as everywhere else, in UTC unless it says otherwise. */
export function momentOf(text: string | undefined): Date | 'latest' | null {
  if (text === undefined || text === 'latest') return text ?? null
  const at = parseTime(text)
  if (at !== null) return at
  throw new Misused('--until must be a time such as "2026-01-31 08:00:00", or latest')
}

/**
 * Puts a backup in the place of what is in FLORIN_DATA. It is unpacked beside it first, checked byte by byte,
 * started, brought up to date and audited; only then does it take the place, and what was there is kept.
 */
export async function restore(
  file: string,
  { replace, until }: { replace: boolean; until: Date | 'latest' | null },
): Promise<RestoreReport> {
  const config = embeddedConfig()
  if (until !== null && config.archiveFolder === null) {
    throw new Refused('--until needs the archived log: set FLORIN_ARCHIVE to its folder.')
  }
  const folder = config.dataFolder
  await refuseRunning(folder)
  // Also a key without a cluster: it may be all that opens a database elsewhere.
  const present = await presentIn(folder, NAMES)
  if (present.length > 0 && !replace) {
    throw new Refused(
      `${folder} has ${present.join(', ')} already. With --replace the backup takes their place, and they are kept aside.`,
    )
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Within the folder, which may be a volume of its own: from there it can be moved without being copied.
  const staging = await mkdtemp(join(folder, 'restoring-'))
  try {
    const owner = await otherOwner(folder)
    if (owner) await chown(staging, owner.uid, owner.gid)
    const { size } = await stat(file).catch(() => ({ size: 0 }))
    const { made_at, payments } = await interruptible(async (check) => {
      const about = await readArchive(file, {
        keep: (entry) => unpack(entry, staging, owner),
        onBytes: (read) => {
          check()
          progress(`Unpacking: ${percent(read, size)}`)
        },
      })
      if (until instanceof Date && until < new Date(about.made_at)) {
        throw new Refused('This backup was made after that moment. Take an older one.')
      }
      progress('Starting it…')
      const recovered = await recover(staging, config.archiveFolder, until)
      const found = await prove({ ...config, dataFolder: staging }).finally(() => recovered?.stop())
      check()
      return { ...about, payments: found }
    })
    await refuseRunning(folder)
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const aside = present.length > 0 ? join(folder, `before-restore-${stamp}`) : null
    if (aside === null && (await presentIn(folder, NAMES)).length > 0) {
      throw new Refused(`Somebody else has put data into ${folder} meanwhile. Nothing was changed.`)
    }
    await swap({ names: NAMES, from: staging, to: folder, aside })
    const reached = until instanceof Date ? until.toISOString() : until
    return { folder, made_at, until: reached, payments, kept_aside: aside }
  } finally {
    progress('')
    await rm(staging, { recursive: true, force: true })
  }
}

async function refuseRunning(folder: string): Promise<void> {
  const server = await findPostmaster(join(folder, 'postgres'))
  if (server === undefined) return
  throw new Refused(
    `The database in ${folder} is running (process ${server.pid}). Stop Florin first: Ctrl-C where it was started.`,
  )
}

async function makeFolder(path: string, owner: Owner | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (owner) await chown(path, owner.uid, owner.gid)
}

async function unpack(entry: TarEntry, into: string, owner: Owner | undefined): Promise<void> {
  const path = join(into, entry.path)
  if (entry.kind === 'folder') return makeFolder(path, owner)
  await makeFolder(dirname(path), owner)
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of entry.data) await handle.writeFile(chunk)
    if (owner) await handle.chown(owner.uid, owner.gid)
    // The cluster is synced by PostgreSQL itself when it starts from a backup.
    if (!entry.path.startsWith('postgres/') && entry.path !== INDEX) await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Where there is an archive, the copy follows it as far as asked, and in any case begins a history of its own: what it
 * writes from then on must not have the names of what was archived after the copy was made.
 */
async function recover(
  folder: string,
  archive: string | null,
  until: Date | 'latest' | null,
): Promise<EmbeddedDatabase | null> {
  if (archive === null) return null
  const recovery = { archive, target: until ?? 'immediate' } as const
  try {
    return await startEmbedded({ folder, recovery, log: progress })
  } catch (error) {
    const reason = reasonOf(error)
    if (/ended before configured recovery target/.test(reason)) {
      throw new Refused(
        'The archive does not reach that moment: nothing later is in it. --until latest takes all that there is.',
      )
    }
    throw error
  }
}

/** That it starts, is of this version or older, has its key, and that no cent is missing. */
async function prove(config: ReturnType<typeof embeddedConfig>): Promise<number> {
  const { checks, totals } = await withService(
    ({ service }) =>
      auditLedger(service.database, {
        onCheck: (name) => progress(`Checking the ledger: ${name}…`),
      }),
    { config, upgrade: true },
  )
  await syncFolder(config.dataFolder)
  const wrong = checks.filter(({ findings }) => findings.length > 0)
  if (wrong.length === 0) return Number(totals.payments)
  throw new Refused(
    `The ledger in this backup is not sound: ${wrong.map(({ name }) => name).join('; ')}. Nothing was changed.`,
  )
}
