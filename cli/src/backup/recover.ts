import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, chown, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { openDatabase } from '@florin/server/database/database.js'
import type { Target } from '@florin/server/embedded/archive/settings.js'
import { otherOwner, syncFolder } from '@florin/server/embedded/cluster.js'
import { type EmbeddedDatabase, startEmbedded } from '@florin/server/embedded/server.js'
import { Refused } from '../failure.ts'
import { reasonOf } from '../local.ts'
import { showProgress } from '../print.ts'
import {
  continuesAfter,
  type History,
  parseHistory,
  segmentOf,
  startNote,
  timelineAt,
  timelineOf,
} from './history.ts'

type RecoveryRequest = {
  readonly archive: string | null
  /** File names in the archive, without .gz. */
  readonly archived: readonly string[]
  readonly until: Date | 'latest' | null
  /** The folder of the replaced database, if its log continues the archived one. */
  readonly replaced: string | null
}

type Recovered = {
  readonly database: EmbeddedDatabase
  /** Time of the last replayed change; null if there was none, and without `until`. */
  readonly reached: Date | null
}

const CONNECT_TIMEOUT_MS = 5_000
const unzip = promisify(gunzip)
const walFolder = (folder: string) => join(folder, 'postgres', 'pg_wal')

/**
 * Replays the archive up to `until`. Always starts a new timeline, so that the copy never reuses names of segments
 * that the original has archived or will archive.
 */
export async function recover(folder: string, request: RecoveryRequest): Promise<Recovered> {
  const { archive, archived, until, replaced } = request
  const added =
    archive && replaced ? await copyLog({ archive, archived, from: replaced }, folder) : []
  const target: Target =
    until instanceof Date
      ? {
          at: until,
          timeline: timelineAt(
            await readHistories(archive, [...archived, ...added], folder),
            until,
          ),
        }
      : (until ?? 'immediate')
  const startedAt = new Date()
  const database = await startRecovery(folder, archive, target)
  try {
    const history = await readNewestHistory(folder)
    await appendFile(history.file, startNote(history.timeline, startedAt), { flush: true })
    const segments = [...archived, ...added].map(segmentOf).filter((found) => found !== null)
    if (until === 'latest' && continuesAfter(history, segments)) {
      throw new Refused(
        `A segment of the log in ${archive} is missing or damaged. Restore the segment, or choose an earlier moment with --until.`,
      )
    }
    return { database, reached: until && (await findLastChange(database.url)) }
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** Lists the files of an archive, without .gz. */
export async function listArchived(archive: string): Promise<string[]> {
  const files = await readdir(archive).catch(() => [])
  return files.filter((name) => name.endsWith('.gz')).map((name) => name.slice(0, -3))
}

/**
 * Archives the files of the log that are waiting to be archived, because a later restore may need them. Copies the others,
 * such as the current segment, to the new cluster. Returns the names of the archived files.
 */
async function copyLog(
  { archive, archived, from }: { archive: string; archived: readonly string[]; from: string },
  to: string,
): Promise<string[]> {
  const owner = await otherOwner(to)
  const known = new Set([...archived, ...(await readdir(walFolder(to)))])
  const waiting = new Set(await readdir(join(walFolder(from), 'archive_status')))
  const added: string[] = []
  for (const name of await readdir(walFolder(from))) {
    const isLog = timelineOf(name) !== null || (await isWrittenSegment(from, name))
    if (!isLog || known.has(name)) continue
    const isWaiting = waiting.has(`${name}.ready`)
    const file = isWaiting ? join(archive, `.${name}.part`) : join(walFolder(to), name)
    await pipeline(
      createReadStream(join(walFolder(from), name)),
      isWaiting ? createGzip({ level: 1 }) : new PassThrough(),
      createWriteStream(file, { mode: 0o600, flush: true }),
    )
    if (owner) await chown(file, owner.uid, owner.gid)
    if (!isWaiting) continue
    await rename(file, join(archive, `${name}.gz`))
    added.push(name)
  }
  await syncFolder(archive)
  return added
}

/** PostgreSQL recycles old segments; the header of an unused one still has its old position. */
async function isWrittenSegment(folder: string, name: string): Promise<boolean> {
  const segment = segmentOf(name)
  if (segment === null) return false
  const head = await readHead(join(walFolder(folder), name), 16)
  return head.readBigUInt64LE(8) === segment.start
}

/** Whether both folders have copies of one database: PostgreSQL gives each cluster an identifier. */
export async function isSameDatabase(folder: string, other: string): Promise<boolean> {
  const [id, otherId] = await Promise.all(
    [folder, other].map((each) => readHead(join(each, 'postgres', 'global', 'pg_control'), 8)),
  )
  return id!.equals(otherId!)
}

async function readHead(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer
  } finally {
    await handle.close()
  }
}

async function readHistories(
  archive: string | null,
  archived: readonly string[],
  folder: string,
): Promise<History[]> {
  const read = async (name: string, text: () => Promise<string>) => {
    const timeline = timelineOf(name)
    return timeline === null ? [] : [parseHistory(timeline, await text())]
  }
  const found = await Promise.all([
    ...archived.map((name) =>
      read(name, async () => `${await unzip(await readFile(join(archive!, `${name}.gz`)))}`),
    ),
    ...(await readdir(walFolder(folder))).map((name) =>
      read(name, () => readFile(join(walFolder(folder), name), 'utf8')),
    ),
  ])
  return found.flat()
}

async function readNewestHistory(folder: string): Promise<History & { file: string }> {
  const name = (await readdir(walFolder(folder)))
    .filter((entry) => timelineOf(entry) !== null)
    .sort()
    .at(-1)!
  const file = join(walFolder(folder), name)
  return { ...parseHistory(timelineOf(name)!, await readFile(file, 'utf8')), file }
}

async function startRecovery(folder: string, archive: string | null, target: Target) {
  try {
    return await startEmbedded({ folder, recovery: { archive, target }, log: showProgress })
  } catch (error) {
    const reason = reasonOf(error)
    if (/ended before configured recovery target/.test(reason)) {
      throw new Refused(
        'The archive does not reach that moment: its log ends earlier, or a segment is missing. --until latest replays everything.',
      )
    }
    if (/is not a child of this server's history/.test(reason)) {
      throw new Refused(
        'The timeline of this backup was abandoned before that moment, when an older backup was restored. Use an older backup, or one that was made after that restore.',
      )
    }
    throw error
  }
}

async function findLastChange(url: string): Promise<Date | null> {
  const database = openDatabase({ url, poolSize: 1, poolTimeoutMs: CONNECT_TIMEOUT_MS })
  try {
    const [row] = await database.query<{ at: Date | null }>(
      'select pg_last_xact_replay_timestamp() as at',
    )
    return row!.at
  } finally {
    await database.close()
  }
}
