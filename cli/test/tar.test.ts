import { Readable } from 'node:stream'
import { type Headers, pack } from 'tar-stream'
import { expect, it } from 'vitest'
import { readTar, TarDamaged, type TarEntry, writeTar } from '../src/backup/tar.ts'

async function contents(chunks: AsyncIterable<Buffer>): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { path, data } of readTar(chunks)) {
    const parts: Buffer[] = []
    for await (const part of data) parts.push(part)
    found[path] = Buffer.concat(parts).toString()
  }
  return found
}

const file = (path: string, text: string, size = text.length): TarEntry => ({
  path,
  kind: 'file',
  size,
  mode: 0o600,
  data: Readable.from([Buffer.from(text)]),
})

async function bytesOf(entries: TarEntry[]): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of writeTar(Readable.from(entries))) parts.push(part)
  return Buffer.concat(parts)
}

/** A tar file with one entry of any type, as other programs write it. */
async function tarOf(header: Headers): Promise<Buffer> {
  const writer = pack()
  writer.entry(header)
  writer.finalize()
  const parts: Buffer[] = []
  for await (const part of writer as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    ),
  )

it.each([100, 512, 100_000])('reads what it wrote, in pieces of %i bytes', async (size) => {
  const folder: TarEntry = { ...file('postgres', ''), kind: 'folder', mode: 0o700 }
  const long = 'x'.repeat(70_000)
  const bytes = await bytesOf([folder, file('postgres/a', 'A'), file('b', ''), file('c', long)])
  expect(await contents(inPieces(bytes, size))).toEqual({
    postgres: '',
    'postgres/a': 'A',
    b: '',
    c: long,
  })
})

it('skips data that is not read', async () => {
  const bytes = await bytesOf([file('a', 'x'.repeat(70_000)), file('b', 'B')])
  const paths: string[] = []
  for await (const { path } of readTar(inPieces(bytes, 1_000))) paths.push(path)
  expect(paths).toEqual(['a', 'b'])
})

it('ends its source when the reader stops', async () => {
  const bytes = await bytesOf([file('a', 'A'), file('b', 'x'.repeat(1_000_000))])
  const source = inPieces(bytes, 1_000)
  for await (const entry of readTar(source)) {
    expect(entry.path).toBe('a')
    break
  }
  await expect.poll(() => source.destroyed).toBe(true)
})

it.each(['symlink', 'link', 'fifo', 'character-device', 'block-device'] as const)(
  'refuses a %s',
  async (type) => {
    const bytes = await tarOf({ name: 'postgres/a', type, linkname: '/etc/passwd', size: 0 })
    await expect(contents(inPieces(bytes, 512))).rejects.toThrow(TarDamaged)
  },
)

it('refuses an extended header that claims gigabytes, without buffering it', async () => {
  const header = await tarOf({ name: 'a', type: 'pax-header' as 'file', size: 2 ** 32 })
  let sent = 0
  async function* endless(): AsyncGenerator<Buffer> {
    yield header.subarray(0, 512)
    for (; ; sent += 65_536) yield Buffer.alloc(65_536, 'x')
  }
  await expect(contents(endless())).rejects.toThrow('a header is too large')
  expect(sent).toBeLessThan(8 * 1024 * 1024)
})

it('refuses damaged bytes and a file that is cut off', async () => {
  const bytes = await bytesOf([file('a', 'x'.repeat(10_000))])
  await expect(contents(inPieces(bytes.subarray(0, 5_000), 512))).rejects.toThrow(TarDamaged)
  await expect(contents(inPieces(bytes.subarray(0, 100), 512))).rejects.toThrow(TarDamaged)
  await expect(contents(inPieces(Buffer.alloc(2_000, 'x'), 512))).rejects.toThrow(TarDamaged)
})

it('refuses a file that is cut off between two entries, and an empty one', async () => {
  const bytes = await bytesOf([file('a', 'A'), file('b', 'B')])
  await expect(contents(inPieces(bytes.subarray(0, 1_024), 512))).rejects.toThrow(
    'the end is missing',
  )
  await expect(contents(inPieces(Buffer.alloc(0), 512))).rejects.toThrow('the end is missing')
})

it('passes on the error of its source', async () => {
  const bytes = await bytesOf([file('a', 'x'.repeat(10_000))])
  async function* failing(): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, 2_000)
    throw new RangeError('the disk failed')
  }
  await expect(contents(failing())).rejects.toThrow(RangeError)
})

it('fails to write an entry whose size is wrong, or whose data fails', async () => {
  await expect(bytesOf([file('a', 'AAA', 2)])).rejects.toThrow('Size mismatch')
  const data = (async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from('A')
    throw new RangeError('the disk failed')
  })()
  await expect(bytesOf([{ ...file('a', 'AAA'), data }])).rejects.toThrow(RangeError)
})
