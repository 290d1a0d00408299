import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline as connect, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Writes lines to a compressed file and syncs it. Only this user can read it. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  // `flush` syncs the file before it is closed.
  const file = createWriteStream(path, { mode: 0o600, flush: true })
  await pipeline(Readable.from(lines), createGzip(), file)
}

/** Renames a synced file, durably. Replaces an existing file. */
export async function publishFile(from: string, to: string): Promise<void> {
  await rename(from, to)
  const folder = await open(dirname(to), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export const removeFile = (path: string): Promise<void> => rm(path, { force: true })

/** The SHA-256 hash and the size of a file. Null if there is none. */
export async function hashFile(path: string): Promise<{ sha256: Buffer; bytes: number } | null> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return { sha256: hash.digest(), bytes }
}

/**
 * The SHA-256 hash of what a compressed file contains. The bytes of the file itself depend on the version of Node.js. Null if
 * there is no file, and `damaged` if it can't be decompressed.
 */
export async function hashContent(path: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), createGunzip(), hash)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code?.startsWith('Z_')) return 'damaged'
    throw error
  }
  return hash.digest('hex')
}

/** Reads the lines of a compressed file, many at a time. */
export async function* readLines(path: string): AsyncGenerator<string[]> {
  const text = createGunzip().setEncoding('utf8')
  // An error of the file also ends `text`, which reports it.
  connect(createReadStream(path), text, () => {})
  let rest = ''
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    if (lines.length > 0) yield lines
  }
  if (rest !== '') yield [rest]
}
