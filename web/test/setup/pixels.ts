import { PNG } from 'pngjs'

type Picture = { width: number; height: number; data: Uint8ClampedArray }

/** The RGBA pixels of a PNG picture. */
export function pixelsOf(png: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(png)
  return { width, height, data: new Uint8ClampedArray(data) }
}
