import { decodeQR } from 'qr/decode.js'

/** Off the page's own thread: a frame takes longer to read than to draw. */
self.onmessage = ({ data }: MessageEvent<{ id: number; image: ImageData }>) => {
  let text: string | null = null
  try {
    text = decodeQR(data.image)
  } catch {
    // That is how it says that there is none.
  }
  self.postMessage({ id: data.id, text })
}
