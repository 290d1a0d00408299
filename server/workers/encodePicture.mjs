import { parentPort, workerData } from 'node:worker_threads'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'

// Decodes a picture and encodes its pixels as a PNG. Plain JavaScript beside src, because a worker
// thread can't run TypeScript and the same path must work from src and from dist. An exception ends
// the thread, and the parent reports that the picture is unreadable.
const { type, bytes } = workerData
const { width, height, data } =
  type === 'png'
    ? PNG.sync.read(Buffer.from(bytes))
    : jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: 1, maxMemoryUsageInMB: 64 })
const png = new PNG({ width, height })
png.data = Buffer.from(data)
parentPort.postMessage({ width, height, png: PNG.sync.write(png) })
