import { decodeQR } from 'qr/decode.js'

/** Decodes in a worker, because decoding a frame takes longer than drawing it. */
self.onmessage = ({ data }: MessageEvent<{ id: number; image: ImageData }>) => {
  let text: string | null = null
  try {
    text = decodeQR(data.image)
  } catch {
    // The decoder throws if the image has no code.
  }
  self.postMessage({ id: data.id, text })
}
