import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, openPage } from './setup/browser.ts'
import { openWallet } from './setup/payers.ts'
import { decodePdf } from './setup/pdf.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, openTill, type Shop } from './setup/till.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-counter-'))

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite({ isPublic: true })
  shop = await openShop(site)
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

/** A video of a picture, for the fake camera. */
async function cameraVideo(png: Buffer): Promise<string> {
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
      context.fillRect(0, 0, 640, 480)
      const scale = 480 / image.height
      context.drawImage(image, 320 - (image.width * scale) / 2, 0, image.width * scale, 480)
      return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]!
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await close()
  const file = join(folder, 'camera.mjpeg')
  writeFileSync(file, Buffer.concat(Array.from({ length: 30 }, () => Buffer.from(frame, 'base64'))))
  return file
}

it('a counter code is made, printed, scanned from the PDF, paid, announced and refunded', async () => {
  const dashboard = await openSignedIn(site, shop.people.manager)
  await dashboard.page.goto('/dashboard#/live/links')
  await dashboard.page.getByRole('button', { name: 'New link' }).click()
  await dashboard.page.getByLabel('Title').fill('Counter')
  await dashboard.page.getByRole('button', { name: 'Create link' }).click()
  await dashboard.page.getByRole('link', { name: 'Table tent (A6)' }).click()
  await dashboard.page.getByText('Scan to pay').waitFor()
  const pdf = await dashboard.page.pdf({ preferCSSPageSize: true, printBackground: true })
  const { text, png } = decodePdf(pdf)
  expect(text).toMatch(/\/link\/lnk_\w{26}$/)
  await dashboard.close()

  const till = await openTill(site, shop.people.cashier, { viewport: { width: 390, height: 844 } })
  const camera = await launchBrowser({ camera: await cameraVideo(png) })
  const open = (options = {}) => openPage(camera, site.origin, options)
  const wallet = await openWallet({ origin: site.origin, open }, shop.wallet)
  await wallet.page.goto('/wallet')
  await wallet.page.getByRole('button', { name: 'Scan to pay' }).click()
  await wallet.page.getByRole('button', { name: 'Decimal point' }).waitFor()
  await wallet.page.keyboard.type('4.50')
  await wallet.page.getByRole('button', { name: 'Continue' }).click()
  await wallet.page.getByRole('button', { name: 'Pay 4.50' }).click()
  await wallet.page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
  await wallet.close()
  await camera.close()

  await till.page.locator('.arrival', { hasText: '4.50' }).click()
  await till.page.getByRole('button', { name: 'Refund' }).click()
  await till.page.getByRole('button', { name: /^Refund / }).click()
  await till.page
    .getByRole('button', { name: /^Refund / })
    .last()
    .click()
  await till.page.getByText('Refunded. The payer has the money back.').waitFor()
  await till.close()
  expect(await site.t.auditFindings()).toEqual([])
})
