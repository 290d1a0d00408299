type Detector = { detect: (image: ImageBitmapSource) => Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

type Decoder = {
  /**
   * Returns the texts of the codes in the image: all that the browser's detector finds, or else at most one from our own
   * decoder. Only our own gets the image scaled down to `maxSidePx`. Rejects if no decoder could be loaded.
   */
  readonly read: (
    source: HTMLVideoElement | ImageBitmap,
    maxSidePx: number,
  ) => Promise<readonly string[]>
  readonly close: () => void
}

/** Opens a decoder that reads QR codes in images, first with the browser's own detector if it has one. */
export async function openDecoder(): Promise<Decoder> {
  const worker = new Worker(new URL('./scanWorker.ts', import.meta.url), { type: 'module' })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  const pending = new Map<number, (text: string | null) => void>()
  worker.onmessage = ({ data }: MessageEvent<{ id: number; text: string | null }>) => {
    pending.get(data.id)?.(data.text)
    pending.delete(data.id)
  }
  let hasFailed = false
  worker.onerror = () => {
    hasFailed = true
    for (const resolve of pending.values()) resolve(null)
  }
  const detector = await createDetector()
  let nextId = 0

  async function read(source: HTMLVideoElement | ImageBitmap, maxSidePx: number) {
    const found = (await detector?.detect(source).catch(() => [])) ?? []
    if (found.length > 0) return found.map(({ rawValue }) => rawValue)
    if (hasFailed && detector === null) throw new Error('The decoder did not load')
    if (hasFailed) return []
    const width = 'videoWidth' in source ? source.videoWidth : source.width
    const height = 'videoHeight' in source ? source.videoHeight : source.height
    const scale = Math.min(1, maxSidePx / Math.max(width, height))
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    if (canvas.width === 0 || canvas.height === 0) return []
    context.drawImage(source, 0, 0, canvas.width, canvas.height)
    const image = context.getImageData(0, 0, canvas.width, canvas.height)
    const id = nextId++
    const decoded = new Promise<string | null>((resolve) => pending.set(id, resolve))
    worker.postMessage({ id, image }, [image.data.buffer])
    const text = await decoded
    return text === null ? [] : [text]
  }
  return { read, close: () => worker.terminate() }
}

async function createDetector(): Promise<Detector | null> {
  const Detector = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  if (Detector === undefined) return null
  const formats = await Detector.getSupportedFormats().catch((): string[] => [])
  return formats.includes('qr_code') ? new Detector({ formats: ['qr_code'] }) : null
}
