import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { extract, type Pack, pack } from 'tar-stream'

type TarHeader = {
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly size: number
  readonly mode: number
}

/** Read `data` to its end before you request the next entry, or not at all. */
export type TarEntry = TarHeader & { readonly data: AsyncIterable<Buffer> }

export class TarDamaged extends Error {}

/** Limits what tar-stream buffers between two entries: an extended header may claim any size. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024
const BLOCK_BYTES = 512
/** A tar file ends with two empty blocks. */
const END_BYTES = 2 * BLOCK_BYTES

/** Reads a tar file entry by entry. Refuses links and everything else that is not a file or a folder. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = extract()
  let readBytes = 0
  let entryBytes = 0
  let sourceError: Error | null = null
  async function* limitedChunks(): AsyncGenerator<Buffer> {
    let end = Buffer.alloc(0)
    for await (const chunk of chunks) {
      readBytes += chunk.length
      end = Buffer.concat([end, chunk.subarray(-END_BYTES)]).subarray(-END_BYTES)
      if (readBytes > entryBytes + MAX_BUFFERED_BYTES) throw new TarDamaged('a header is too large')
      yield chunk
    }
    // tar-stream doesn't detect a file that is truncated between two entries.
    if (end.length < END_BYTES || end.some((byte) => byte !== 0)) {
      throw new TarDamaged('the end is missing')
    }
  }
  const source = Readable.from(limitedChunks())
  source.on('error', (error) => {
    sourceError = error
    reader.destroy(error)
  })
  source.pipe(reader)
  // Errors of the source and those thrown here keep their type. All others come from tar-stream.
  const translate = (error: unknown) =>
    sourceError ?? (error instanceof TarDamaged ? error : new TarDamaged((error as Error).message))
  async function* dataOf(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* entry
    } catch (error) {
      throw translate(error)
    }
  }
  try {
    for await (const entry of reader) {
      const { name, type, mode = 0, size = 0 } = entry.header
      if ((type !== 'file' && type !== 'directory') || !(size >= 0)) {
        throw new TarDamaged(`${name} is neither a file nor a folder`)
      }
      entryBytes += BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
      yield {
        path: posix.normalize(name).replace(/\/$/, ''),
        kind: type === 'file' ? 'file' : 'folder',
        size: type === 'file' ? size : 0,
        mode: mode & 0o777,
        data: dataOf(entry),
      }
      entry.resume()
    }
  } catch (error) {
    throw translate(error)
  } finally {
    source.destroy()
  }
}

/** Writes entries as a tar file. Fails if the data of an entry doesn't have the size of its header. */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  const writer = pack()
  async function writeAll(): Promise<void> {
    for await (const entry of entries) await writeEntry(writer, entry)
    writer.finalize()
  }
  writeAll().catch((error: Error) => writer.destroy(error))
  yield* writer as AsyncIterable<Buffer>
}

function writeEntry(writer: Pack, { path, kind, size, mode, data }: TarEntry): Promise<void> {
  return new Promise((resolve, reject) => {
    const type = kind === 'file' ? 'file' : 'directory'
    const sink = writer.entry({ name: path, type, size, mode }, (error) =>
      error ? reject(error) : resolve(),
    )
    sink.on('error', reject)
    if (kind === 'folder') return
    const source = Readable.from(data)
    source.on('error', (error) => sink.destroy(error))
    source.pipe(sink)
  })
}
