import type { Site } from './site.ts'

type Options = {
  /** The height of the picture in the frame. Its own height by default. */
  readonly height?: number
  /** In radians. */
  readonly rotation?: number
}

/** An MJPEG video of a picture in front of a camera, on grey. By default the picture is slightly rotated. */
export async function cameraVideo(
  site: Pick<Site, 'open'>,
  png: Buffer,
  { height, rotation = 0.1 }: Options = {},
): Promise<Buffer> {
  const { page, close } = await site.open()
  await page.goto('/wallet')
  const frame = await page.evaluate(
    async ({ picture, shownHeight, angle }) => {
      const image = new Image()
      image.src = picture
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = 640
      canvas.height = 480
      const context = canvas.getContext('2d')!
      context.fillStyle = '#888'
      context.fillRect(0, 0, 640, 480)
      const scale = (shownHeight ?? image.height) / image.height
      const [width, height] = [image.width * scale, image.height * scale]
      context.translate(320, 240)
      context.rotate(angle)
      context.drawImage(image, -width / 2, -height / 2, width, height)
      return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]!
    },
    {
      picture: `data:image/png;base64,${png.toString('base64')}`,
      shownHeight: height,
      angle: rotation,
    },
  )
  await close()
  return Buffer.concat(Array.from({ length: 30 }, () => Buffer.from(frame, 'base64')))
}
