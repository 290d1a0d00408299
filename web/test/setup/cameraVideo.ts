import type { Site } from './site.ts'

/** An MJPEG video of a code in front of a camera: rotated, on grey, and smaller than the frame. */
export async function cameraVideo(site: Pick<Site, 'open'>, png: Buffer): Promise<Buffer> {
  const { page, close } = await site.open()
  await page.goto('/wallet')
  const frame = await page.evaluate(
    async (picture) => {
      const image = new Image()
      image.src = picture
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = 640
      canvas.height = 480
      const context = canvas.getContext('2d')!
      context.fillStyle = '#888'
      context.fillRect(0, 0, 640, 480)
      context.translate(330, 230)
      context.rotate(0.1)
      context.drawImage(image, -150, -150)
      return canvas.toDataURL('image/jpeg', 0.8).split(',')[1]!
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await close()
  return Buffer.concat(Array.from({ length: 30 }, () => Buffer.from(frame, 'base64')))
}
