import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refused } from '../failure.ts'
import type { KeyHashes } from './keys.ts'
import { readTar, TarDamaged, type TarEntry, writeTar } from './tar.ts'

// A backup is a .tar.gz with parts of the data folder, but not its keys, followed by an index:
//   postgres.password     the password of the cluster
//   demo.json             if the folder has one
//   postgres/…            the cluster, with PostgreSQL's own backup_manifest
//   backup.json           the index
// Earlier versions started with the cluster and wrote secret.key after it.

export const INDEX = 'backup.json'
export const MANIFEST = 'postgres/backup_manifest'
const FORMAT = 1
const CHOOSE = 'Choose a file that `florin backup` wrote.'

type FileRecord = { readonly path: string; readonly size: number; readonly sha256: string }

type BackupIndex = {
  readonly format: number
  readonly florin: string
  readonly made_at: string
  /** Hashes of the keys that the data needs, as far as they are known. Earlier versions wrote none. */
  readonly keys?: KeyHashes
  readonly files: readonly FileRecord[]
}

/** Writes a backup. Its last entry, the index, lists the files that were written before. `readMeta` is called after them. */
export function writeArchive(
  entries: AsyncIterable<TarEntry>,
  readMeta: () => Promise<Omit<BackupIndex, 'format' | 'files'>>,
): AsyncGenerator<Buffer> {
  async function* withIndex(): AsyncGenerator<TarEntry> {
    const files: FileRecord[] = []
    for await (const entry of entries) {
      const hashed = new HashedBytes(entry.data)
      yield { ...entry, data: hashed }
      if (entry.kind === 'file') files.push(hashed.recordAs(entry.path))
    }
    const content = { format: FORMAT, ...(await readMeta()), files }
    const index = Buffer.from(`${JSON.stringify(content, null, 1)}\n`)
    const data = Readable.from([index])
    yield { path: INDEX, kind: 'file', size: index.length, mode: 0o600, data }
  }
  return writeTar(withIndex())
}

/** Allowed names. An untrusted archive must not write to other places. */
const NAME = /^(postgres(\/\w[\w.-]*)*|postgres\.password|secret\.key|demo\.json|backup\.json)$/

/**
 * Reads a whole backup, passes each entry to `onEntry`, and verifies every byte with the index and PostgreSQL's
 * manifest.
 */
export async function readArchive(
  path: string,
  {
    onEntry = drain,
    onBytes = () => {},
  }: { onEntry?: (entry: TarEntry) => Promise<void>; onBytes?: (read: number) => void },
): Promise<BackupIndex> {
  const found = new Map<string, FileRecord>()
  const texts = new Map<string, string>()
  const file = createReadStream(path)
  const unzipped = file.pipe(createGunzip())
  file.on('error', (error) => unzipped.destroy(error))
  try {
    for await (const entry of readTar(unzipped)) {
      if (!NAME.test(entry.path))
        throw new Refused(`${path} is not a Florin backup: it contains ${entry.path}. ${CHOOSE}`)
      const keepsText = [INDEX, MANIFEST].includes(entry.path)
      const hashed = new HashedBytes(entry.data, { keepsText })
      await onEntry({ ...entry, data: hashed })
      onBytes(file.bytesRead)
      if (entry.kind === 'folder') continue
      found.set(entry.path, hashed.recordAs(entry.path))
      texts.set(entry.path, hashed.text())
    }
  } catch (error) {
    throw backupFileError(error, path)
  } finally {
    file.destroy()
  }
  const index = parseIndex(texts.get(INDEX), path)
  found.delete(INDEX)
  const problem =
    indexProblem(index.files, found) ?? manifestProblem(texts.get(MANIFEST) ?? '', found)
  if (problem !== null) throw new Refused(`${path} is damaged: ${problem}. Use another backup.`)
  return index
}

/**
 * Whether the backup is from a version that wrote secret.key into it. Decides by the first entries, because the
 * key is at the end of what may be many gigabytes.
 */
export async function mayContainKey(path: string): Promise<boolean> {
  const file = createReadStream(path)
  const unzipped = file.pipe(createGunzip())
  file.on('error', (error) => unzipped.destroy(error))
  const names: string[] = []
  try {
    for await (const entry of readTar(unzipped)) {
      if (names.push(entry.path) === 2 || entry.path !== 'postgres') break
    }
  } catch {
    // Not a Florin backup.
  } finally {
    file.destroy()
  }
  return names[0] === 'postgres' && names[1] === 'postgres/backup_label'
}

async function drain({ data }: TarEntry): Promise<void> {
  for await (const _ of data) void _
}

/** Explains an error of reading a backup. */
export function backupFileError(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new Refused(`${path} does not exist. Check the path.`)
  if (code === 'EISDIR') return new Refused(`${path} is a folder. Name the file of the backup.`)
  if (code === 'EACCES')
    return new Refused(`${path} cannot be read: ${message}. Check its permissions.`)
  if (error instanceof TarDamaged || code?.startsWith('Z_')) {
    return new Refused(
      `${path} is not a Florin backup, or is damaged: ${message}. Use another backup.`,
    )
  }
  return error
}

function parseIndex(text: string | undefined, path: string): BackupIndex {
  if (text === undefined)
    throw new Refused(`${path} is not a Florin backup: it has no ${INDEX}. ${CHOOSE}`)
  const index = JSON.parse(text) as BackupIndex
  if (index.format === FORMAT) return index
  throw new Refused(
    `${path} has a format that this version cannot read. Restore it with Florin ${index.florin}.`,
  )
}

function indexProblem(
  listed: readonly FileRecord[],
  found: ReadonlyMap<string, FileRecord>,
): string | null {
  const wrong = listed.find(({ path, sha256 }) => found.get(path)?.sha256 !== sha256)
  if (wrong !== undefined) return `${wrong.path} is missing or has changed`
  return listed.length === found.size ? null : 'it contains files that are not in its index'
}

type Manifest = { Files: { Path: string; Size: number; Checksum: string }[] }

/** Checks the manifest and every file that it lists with the checksums that PostgreSQL wrote. */
function manifestProblem(text: string, found: ReadonlyMap<string, FileRecord>): string | null {
  const [, body, storedChecksum] = /^(.*)"Manifest-Checksum": "([0-9a-f]+)"\}\n$/s.exec(text) ?? []
  if (
    storedChecksum === undefined ||
    createHash('sha256').update(body!).digest('hex') !== storedChecksum
  ) {
    return "PostgreSQL's manifest is incomplete"
  }
  const wrong = (JSON.parse(text) as Manifest).Files.find(({ Path, Size, Checksum }) => {
    const file = found.get(`postgres/${Path}`)
    return file?.size !== Size || file.sha256 !== Checksum
  })
  return wrong === undefined ? null : `${wrong.Path} differs from PostgreSQL's checksum`
}

/** Passes bytes through and computes their checksum. With `keepsText`, also collects them. */
class HashedBytes implements AsyncIterable<Buffer> {
  private readonly hash = createHash('sha256')
  private readonly chunks: Buffer[] = []
  private readonly bytes: AsyncIterable<Buffer>
  private readonly keepsText: boolean
  private size = 0

  constructor(bytes: AsyncIterable<Buffer>, { keepsText = false } = {}) {
    this.bytes = bytes
    this.keepsText = keepsText
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.bytes) {
      this.hash.update(chunk)
      this.size += chunk.length
      if (this.keepsText) this.chunks.push(chunk)
      yield chunk
    }
  }

  recordAs(path: string): FileRecord {
    return { path, size: this.size, sha256: this.hash.digest('hex') }
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8')
  }
}
