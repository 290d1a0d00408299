import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import type { StoreId } from '../../../src/core/ids.ts'
import { type PictureHead, readPictureHead } from '../../../src/core/pictures.ts'
import { createPictureEncoder } from '../../../src/ops/pictures.ts'
import { manyChunksPng, plainJpeg, plainPng, slowJpeg } from '../../hostile/pictures.ts'

const STORE = 1 as StoreId

describe('checks before decoding', () => {
  it('read the size', () => {
    expect(readPictureHead(plainPng(20, 10))).toEqual({ type: 'png', width: 20, height: 10 })
    expect(readPictureHead(plainJpeg(20))).toEqual({ type: 'jpeg', width: 20, height: 20 })
  })

  it('refuse a JPEG with a second frame', () => {
    const picture = slowJpeg({ frames: [8, 1000], scans: 1 })
    expect(readPictureHead(picture)).toBe('image_unreadable')
    // A second frame is also refused after a scan, where decoders still accept one.
    const afterScan = Buffer.concat([slowJpeg({ scans: 1 }).subarray(0, -2), picture.subarray(2)])
    expect(readPictureHead(afterScan)).toBe('image_unreadable')
  })

  it('refuse a JPEG with too many scans', () => {
    expect(readPictureHead(slowJpeg({ scans: 40 }))).toMatchObject({ width: 512 })
    expect(readPictureHead(slowJpeg({ scans: 41 }))).toBe('image_unreadable')
  })

  it('refuse a JPEG with other data after a segment', () => {
    const picture = plainJpeg(20)
    const stray = Buffer.concat([picture.subarray(0, 20), Buffer.alloc(8), picture.subarray(20)])
    expect(readPictureHead(stray)).toBe('image_unreadable')
  })

  it('ignore a frame inside a segment, such as a thumbnail', () => {
    const picture = plainJpeg(20)
    const inner = plainJpeg(8)
    const head = Buffer.from([0xff, 0xe1, (inner.length + 2) >> 8, (inner.length + 2) & 255])
    const withThumbnail = Buffer.concat([picture.subarray(0, 2), head, inner, picture.subarray(2)])
    expect(readPictureHead(withThumbnail)).toEqual({ type: 'jpeg', width: 20, height: 20 })
  })

  it('refuse a PNG with too many chunks', () => {
    expect(readPictureHead(manyChunksPng(900))).toMatchObject({ width: 8 })
    expect(readPictureHead(manyChunksPng(1000))).toBe('image_unreadable')
  })
})

describe('re-encoding', () => {
  it('returns a PNG of the same size, with the same pixels if it was a PNG', async () => {
    const encode = createPictureEncoder()
    for (const picture of [plainPng(64, 32), plainJpeg(512), slowJpeg({ scans: 40 })]) {
      const png = PNG.sync.read((await encode(picture, STORE)) as Buffer)
      const { width, height } = readPictureHead(picture) as PictureHead
      expect([png.width, png.height]).toEqual([width, height])
    }
    const { data } = PNG.sync.read((await encode(plainPng(64, 32), STORE)) as Buffer)
    expect(data.equals(PNG.sync.read(plainPng(64, 32)).data)).toBe(true)
  })

  it('terminates a slow decoder, and continues with the next picture', async () => {
    // No thread starts within a millisecond.
    const encode = createPictureEncoder({ timeoutMs: 1 })
    expect(await encode(plainPng(8, 8), STORE)).toBe('image_unreadable')
    expect(await encode(plainPng(8, 8), STORE)).toBe('image_unreadable')
  })

  it('does not block the event loop', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await createPictureEncoder()(plainJpeg(512), STORE)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })

  it('queues two pictures behind the current one, and refuses more', async () => {
    const encode = createPictureEncoder()
    const stores = [1, 2, 3, 4, 5] as StoreId[]
    const results = await Promise.all(stores.map((storeId) => encode(plainPng(8, 8), storeId)))
    expect(results.slice(0, 3).every(Buffer.isBuffer)).toBe(true)
    expect(results.slice(3)).toEqual(['busy', 'busy'])
    expect(Buffer.isBuffer(await encode(plainPng(8, 8), STORE))).toBe(true)
  })

  it('takes one picture of a store at a time, so that its uploads leave room for others', async () => {
    const encode = createPictureEncoder()
    const uploads = [STORE, STORE, STORE, 2 as StoreId]
    const results = await Promise.all(uploads.map((storeId) => encode(plainPng(8, 8), storeId)))
    expect(results.map(Buffer.isBuffer)).toEqual([true, false, false, true])
    expect(Buffer.isBuffer(await encode(plainPng(8, 8), STORE))).toBe(true)
  })
})
