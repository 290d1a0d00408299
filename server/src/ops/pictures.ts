import { Worker } from 'node:worker_threads'
import type { StoreId } from '../core/ids.ts'
import {
  type PictureHead,
  type PictureProblem,
  readPictureHead,
  type Size,
} from '../core/pictures.ts'

const WORKER = new URL('../../workers/encodePicture.mjs', import.meta.url)
/** Many times longer than the largest accepted picture needs. */
const TIMEOUT_MS = 10_000
/** Few enough that the last one normally finishes before its client times out. */
const MAX_WAITING = 2
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

type Encoded = Size & { readonly png: Uint8Array }

/**
 * Re-encodes pictures as PNGs, which keeps only the pixels. Decodes one picture at a time, each in its own
 * worker thread with a timeout.
 */
export function createPictureEncoder({ timeoutMs = TIMEOUT_MS } = {}) {
  let last: Promise<unknown> = Promise.resolve()
  /** The stores whose picture is being encoded or waits. At most one picture each, so that a store leaves room for the others. */
  const stores = new Set<StoreId>()

  return async (bytes: Buffer, storeId: StoreId): Promise<Buffer | PictureProblem | 'busy'> => {
    const head = readPictureHead(bytes)
    if (typeof head === 'string') return head
    if (stores.size > MAX_WAITING || stores.has(storeId)) return 'busy'
    stores.add(storeId)
    const encoded = last.then(() => encode(bytes, head, timeoutMs))
    // If a worker thread fails to start, later pictures must still be decoded.
    last = encoded.catch(() => {})
    try {
      return (await encoded) ?? 'image_unreadable'
    } finally {
      stores.delete(storeId)
    }
  }
}

/** Null for a picture that can't be decoded within the limits, or doesn't have the size in its header. */
async function encode(bytes: Buffer, head: PictureHead, timeoutMs: number): Promise<Buffer | null> {
  const worker = new Worker(WORKER, {
    workerData: { type: head.type, bytes },
    resourceLimits: RESOURCE_LIMITS,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const encoded = await new Promise<Encoded | null>((resolve) => {
      timer = setTimeout(() => resolve(null), timeoutMs)
      worker.once('message', resolve)
      worker.once('error', () => resolve(null))
      worker.once('exit', () => resolve(null))
    })
    const hasDeclaredSize = encoded?.width === head.width && encoded.height === head.height
    return hasDeclaredSize ? Buffer.from(encoded.png) : null
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
