import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, openPage } from './setup/browser.ts'
import { cameraVideo } from './setup/cameraVideo.ts'
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
  const video = join(folder, 'camera.mjpeg')
  writeFileSync(video, await cameraVideo(site, png, { height: 480, rotation: 0 }))
  const camera = await launchBrowser({ camera: video })
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
