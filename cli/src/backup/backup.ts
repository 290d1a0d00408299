import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Config } from '@florin/server/config.js'
import { type BaseBackupPart, streamBaseBackup } from '@florin/server/embedded/baseBackup.js'
import { isCluster, syncFolder } from '@florin/server/embedded/cluster.js'
import { type EmbeddedDatabase, startEmbedded } from '@florin/server/embedded/server.js'
import { findKeyHashesAt } from '@florin/server/sql/secrets.js'
import { Refused, Unreachable, UsageError } from '../failure.ts'
import { runInterruptible } from '../interrupt.ts'
import { readLocalConfig, reasonOf } from '../local.ts'
import { showProgress } from '../print.ts'
import { version } from '../version.ts'
import { MANIFEST, readArchive, writeArchive } from './archive.ts'
import { findKeys, hashesOf, type UsedKey } from './keys.ts'
import { readTar, type TarEntry } from './tar.ts'

/** Files of a backup other than the cluster: no keys, no logs. */
export const BESIDE_CLUSTER = ['postgres.password', 'demo.json']

export type BackupReport = {
  readonly file: string
  readonly bytes: number
  readonly files: number
  readonly made_at: string
  /** The files or settings with the keys that the backup needs and does not contain. */
  readonly keys: readonly string[]
}

/** Reads the settings, and refuses if they name an external database. */
export function readEmbeddedConfig(): Config {
  const config = readLocalConfig()
  if (config.databaseUrl === null) return config
  throw new Refused(
    'This command is for the embedded database. With DATABASE_URL, use the tools of your PostgreSQL: see docs/backups.md.',
  )
}

/** Writes a backup, whether or not the service runs, and verifies it. */
export async function backup(file: string): Promise<BackupReport> {
  const config = readEmbeddedConfig()
  const { dataFolder } = config
  const target = resolve(file)
  await checkTarget(target)
  if (!(await isCluster(join(dataFolder, 'postgres')))) {
    throw new Refused(`There is no database in ${dataFolder}. Set FLORIN_DATA to the data folder.`)
  }
  // Rename to the final name only after verification.
  const partial = `${target}.partial-${process.pid}`
  await createPartial(partial, target)
  try {
    const keys = await findKeys(dataFolder)
    const { index, bytes } = await runInterruptible(async (check) => {
      await writeBackup(partial, config, { check, keys })
      const { size } = await stat(partial)
      const onBytes = (read: number) => {
        check()
        showProgress(`Verifying the backup: ${formatPercent(read, size)}`)
      }
      return { index: await readArchive(partial, { onBytes }), bytes: size }
    })
    await checkTarget(target)
    await rename(partial, target)
    await syncFolder(dirname(target))
    const { made_at, files } = index
    return { file: target, bytes, files: files.length, made_at, keys: keys.map(({ from }) => from) }
  } finally {
    showProgress('')
    await rm(partial, { force: true })
  }
}

async function checkTarget(target: string): Promise<void> {
  const found = await stat(target).catch(() => null)
  if (found !== null) throw new Refused(`${target} already exists. Choose another name.`)
  const folder = await stat(dirname(target)).catch(() => null)
  if (!folder?.isDirectory()) {
    throw new UsageError(`The folder ${dirname(target)} does not exist. Create it first.`)
  }
}

/** Creates the file before the database is started, so that a folder without write permission is refused at once. */
async function createPartial(partial: string, target: string): Promise<void> {
  try {
    await writeFile(partial, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new Refused(
      `${target} cannot be written: ${reasonOf(error)}. Choose another folder or name, or correct the permissions.`,
    )
  }
}

async function writeBackup(
  path: string,
  config: Config,
  { check, keys }: { check: () => void; keys: readonly UsedKey[] },
): Promise<void> {
  const { dataFolder: folder, archiveFolder: archive } = config
  let database: EmbeddedDatabase
  try {
    database = await startEmbedded({ folder, archive, log: () => {} })
  } catch (error) {
    throw new Unreachable(reasonOf(error))
  }
  try {
    await streamBaseBackup(database.url, async (parts, estimatedBytes) => {
      const made_at = new Date().toISOString()
      // Read at the end: the copy needs the secret key of its last moment, and `florin rotate-key` may replace the key meanwhile.
      const readMeta = async () => ({
        florin: version,
        made_at,
        keys: hashesOf(keys, await findKeyHashesAt(database.url)),
      })
      const entries = entriesOf(parts, {
        folder,
        onBytes: (sent) => {
          check()
          showProgress(`Backing up: ${formatPercent(sent, estimatedBytes())}`)
        },
      })
      await pipeline(
        writeArchive(entries, readMeta),
        // Compression takes most of the time; higher levels take longer and gain little.
        createGzip({ level: 1 }),
        createWriteStream(path, { flags: 'r+', flush: true }),
      )
    })
  } finally {
    await database.stop()
  }
}

/** All entries before the index: the files next to the cluster, PostgreSQL's tar in its own folder, and its manifest. */
async function* entriesOf(
  parts: AsyncIterable<BaseBackupPart>,
  { folder, onBytes }: { folder: string; onBytes: (sent: number) => void },
): AsyncGenerator<TarEntry> {
  const manifest: Buffer[] = []
  let sent = 0
  async function* archive() {
    for await (const { file, bytes } of parts) {
      sent += bytes.length
      onBytes(sent)
      if (file === 'archive') yield bytes
      else manifest.push(bytes)
    }
  }
  for (const name of BESIDE_CLUSTER) {
    const bytes = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw new Refused(
        `${join(folder, name)} cannot be read: ${error.message}. Check its permissions.`,
      )
    })
    if (bytes !== null) yield fileEntry(name, bytes)
  }
  yield { ...fileEntry('postgres', Buffer.alloc(0)), kind: 'folder', mode: 0o700 }
  for await (const entry of readTar(archive())) {
    yield { ...entry, path: `postgres/${entry.path}` }
  }
  yield fileEntry(MANIFEST, Buffer.concat(manifest))
}

function fileEntry(path: string, bytes: Buffer): TarEntry {
  const data = (async function* () {
    yield bytes
  })()
  return { path, kind: 'file', size: bytes.length, mode: 0o600, data }
}

/** At most 99%, because the total may be an estimate. */
export const formatPercent = (done: number, all: number): string =>
  `${Math.min(99, Math.floor((100 * done) / Math.max(1, all)))}%`
