import { posix } from 'node:path'

// The little of tar that a backup needs: files and folders with names of up to 100 characters, as
// PostgreSQL sends them and any tar unpacks them.

export type TarHead = {
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly size: number
  readonly mode: number
}

/** `data` has to be read before the next entry is asked for; what is left of it is passed over. */
export type TarEntry = TarHead & { readonly data: AsyncIterable<Buffer> }

const BLOCK = 512
const MAX_PATH = 100
const KINDS: Record<string, TarHead['kind']> = { '0': 'file', '\0': 'file', '5': 'folder' }

export const TAR_END = Buffer.alloc(2 * BLOCK)

export class TarDamaged extends Error {}

export function tarHead({ path, kind, size, mode }: TarHead): Buffer {
  if (Buffer.byteLength(path) > MAX_PATH) throw new RangeError(`the name is too long: ${path}`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  block.write(path, 0)
  block.write(octal(mode, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(Math.floor(Date.now() / 1000), 11), 136)
  block.write(kind === 'file' ? '0' : '5', 156)
  block.write('ustar\x0000', 257)
  block.write(octal(sumOf(block), 6), 148)
  return block
}

/** What stands between the end of a file and the next entry. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** Entry by entry. Whatever is cut off, or is no tar at all, is an error and never a short archive. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new Bytes(chunks)
  try {
    for (;;) {
      const block = await bytes.exactly(BLOCK)
      if (block.every((byte) => byte === 0)) break
      const head = parseHead(block)
      const data = bytes.next(head.size)
      yield { ...head, data }
      for await (const _ of data) void _
      await bytes.exactly(tarPadding(head.size).length)
    }
    await bytes.exactly(BLOCK)
    await bytes.drain()
  } finally {
    await bytes.close()
  }
}

function parseHead(block: Buffer): TarHead {
  const text = (from: number, length: number) =>
    block.toString('utf8', from, from + length).split('\0', 1)[0]!
  const number = (from: number, length: number) => Number.parseInt(text(from, length), 8)
  const kind = KINDS[String.fromCharCode(block[156]!)]
  const size = kind === 'folder' ? 0 : number(124, 12)
  if (number(148, 8) !== sumOf(block) || kind === undefined || !(size >= 0)) {
    throw new TarDamaged('not a tar file, or a damaged one')
  }
  return {
    path: posix.normalize(text(0, MAX_PATH)).replace(/\/$/, ''),
    kind,
    size,
    mode: number(100, 8) & 0o777,
  }
}

/** Of all bytes of a head, its own field taken as spaces. */
function sumOf(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

/** A stream, to be taken in pieces of chosen sizes. */
class Bytes {
  private readonly source: AsyncIterator<Buffer>
  private rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.source = chunks[Symbol.asyncIterator]()
  }

  async exactly(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.next(size)) parts.push(part)
    return Buffer.concat(parts)
  }

  /** The next so many bytes as they come. Whoever stops reading can go on with what is left. */
  next(size: number): AsyncIterable<Buffer> & AsyncIterator<Buffer> {
    let left = size
    const next = async (): Promise<IteratorResult<Buffer>> => {
      if (left === 0) return { done: true, value: undefined }
      if (this.rest.length === 0) this.rest = await this.chunk()
      const part = this.rest.subarray(0, left)
      this.rest = this.rest.subarray(part.length)
      left -= part.length
      return { done: false, value: part }
    }
    const iterator = { next, [Symbol.asyncIterator]: () => iterator }
    return iterator
  }

  /** What follows the end means nothing, but who sends it waits until it is taken. */
  async drain(): Promise<void> {
    while (!(await this.source.next()).done);
  }

  /** Whoever sends need not go on. */
  async close(): Promise<void> {
    await this.source.return?.()
  }

  private async chunk(): Promise<Buffer> {
    const { done, value } = await this.source.next()
    if (done) throw new TarDamaged('cut off in the middle')
    return value
  }
}
