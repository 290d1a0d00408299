import { Worker } from 'node:worker_threads'
import {
  type PictureHead,
  type PictureProblem,
  readPictureHead,
  type Size,
} from '../core/picture.ts'

const WORKER = new URL('../../workers/redrawPicture.mjs', import.meta.url)
/** Many times what the largest picture that is let in takes. */
const TIMEOUT_MS = 10_000
/** The last of them still gets its answer before a client gives up. */
const MAX_WAITING = 2
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

type Redrawn = Size & { readonly png: Uint8Array }

/**
 * Draws pictures anew as PNGs: only the pixels stay of what somebody sent. One at a time, each in a
 * thread of its own, which is ended when it takes too long.
 */
export function pictureRedrawer({ timeoutMs = TIMEOUT_MS } = {}) {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return async (bytes: Buffer): Promise<Buffer | PictureProblem | 'busy'> => {
    const head = readPictureHead(bytes)
    if (typeof head === 'string') return head
    if (waiting > MAX_WAITING) return 'busy'
    waiting += 1
    const redrawn = last.then(() => redraw(bytes, head, timeoutMs))
    // A thread that could not be started must not refuse every later picture.
    last = redrawn.catch(() => {})
    try {
      return (await redrawn) ?? 'image_unreadable'
    } finally {
      waiting -= 1
    }
  }
}

/** Null for a picture that can't be decoded within the limits, or isn't what its head says. */
async function redraw(bytes: Buffer, head: PictureHead, timeoutMs: number): Promise<Buffer | null> {
  const worker = new Worker(WORKER, {
    workerData: { type: head.type, bytes },
    resourceLimits: RESOURCE_LIMITS,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const redrawn = await new Promise<Redrawn | null>((resolve) => {
      timer = setTimeout(() => resolve(null), timeoutMs)
      worker.once('message', resolve)
      worker.once('error', () => resolve(null))
      worker.once('exit', () => resolve(null))
    })
    const isAsPromised = redrawn?.width === head.width && redrawn.height === head.height
    return isAsPromised ? Buffer.from(redrawn.png) : null
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
