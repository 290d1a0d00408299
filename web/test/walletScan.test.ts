import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { qrPng } from '../../server/src/platform/qrImages.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { closeAfterFailures, launchBrowser, openPage } from './setup/browser.ts'
import { cameraVideo } from './setup/cameraVideo.ts'
import { openWallet } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'
import { XSS } from './setup/xss.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-scan-'))

let site: Site
let shop: TestStore
let browserWithCamera: Browser
let code: string
let paymentId: string
beforeAll(async () => {
  site = await startSite({ env: { FLORIN_DEMO: '1' } })
  shop = await site.t.createStore({ name: 'Corner Shop' })
  const payment = await site.t.createPayment(shop.sandbox, { amount: 7.5 })
  code = payment.qr_code
  paymentId = payment.payment_id
  const camera = join(folder, 'camera.mjpeg')
  writeFileSync(camera, await cameraVideo(site, await qrPng(code, 300)))
  browserWithCamera = await launchBrowser({ camera })
})
afterAll(async () => {
  await browserWithCamera.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

const siteWithCamera = () => ({
  origin: site.origin,
  open: (options = {}) => openPage(browserWithCamera, site.origin, options),
})

describe('camera', () => {
  it('finds the code and leads to the payment', async () => {
    const payer = await site.t.createWallet({ mode: 'sandbox', balance: '20' })
    const { page, close } = await openWallet(siteWithCamera(), payer)
    await page.goto('/wallet')
    await page.getByRole('button', { name: 'Scan to pay' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pay Corner Shop' }).waitFor()
    await page.getByText('No real money moves here.').waitFor()
    await page.getByRole('button', { name: 'Pay 7.50' }).click()
    await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
    const { body } = await site.t.call('GET', `/merchant/payment/${paymentId}`, shop.sandbox)
    expect(body.data).toMatchObject({ status: 'completed' })
    // Back leads home, not to the scanner, which would find the same code again.
    await page.goBack()
    await page.getByRole('button', { name: 'Scan to pay' }).waitFor()
    await close()
  })

  it('explains a code of the other mode and stays open', async () => {
    const payer = await site.t.createWallet()
    const { page, close } = await openWallet(siteWithCamera(), payer)
    await page.goto('/wallet#scan')
    await page.getByText('This code is for testing').waitFor()
    await page.getByRole('button', { name: 'Type number' }).click()
    await page.getByLabel('Number under the QR code').waitFor()
    await close()
  })

  it('is opened again after another app took it', async () => {
    const { page, close } = await openWallet(site, await site.t.createWallet())
    await page.goto('/wallet#scan')
    const video = page.locator('video')
    const streamOf = () =>
      video.evaluate((element: HTMLVideoElement) => (element.srcObject as MediaStream | null)?.id)
    await expect.poll(streamOf).toBeTruthy()
    const first = await streamOf()
    // The handler is set once the video plays.
    await expect
      .poll(async () => {
        await video.evaluate((element: HTMLVideoElement) => {
          const [track] = (element.srcObject as MediaStream).getTracks()
          track!.dispatchEvent(new Event('ended'))
        })
        return streamOf()
      })
      .not.toBe(first)
    await close()
  })

  it('finds the code among those of other services, which the detector of the browser also reports', async () => {
    const { page, close } = await openWallet(site, await site.t.createWallet({ balance: '9' }))
    const { qr_code } = await site.t.createPayment(shop.live, { amount: 5 })
    const texts = ['https://other.example.com/menu', '00020101021126580014br.gov.bcb.pix', qr_code]
    await page.addInitScript((found) => {
      class Detector {
        static readonly getSupportedFormats = async () => ['qr_code']
        readonly detect = async () => found.map((rawValue) => ({ rawValue }))
      }
      Object.assign(globalThis, { BarcodeDetector: Detector })
    }, texts)
    await page.goto('/wallet#scan')
    await page.getByRole('button', { name: 'Pay 5.00' }).waitFor()
    await close()
  })

  it('explains a missing, refused or busy camera', async () => {
    const { page, close } = await openWallet(site, await site.t.createWallet())
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('', new URLSearchParams(location.search).get('fails')!))
    })
    const failures = {
      NotAllowedError: 'The camera is blocked',
      NotFoundError: 'No camera found',
      NotReadableError: 'The camera is busy',
    }
    for (const [name, words] of Object.entries(failures)) {
      await page.goto(`/wallet?fails=${name}#scan`)
      await page.getByRole('heading', { name: words }).waitFor()
      // If the number of buttons before Cancel is odd, the last of them takes the whole row, so that there is no gap.
      const widths = await page
        .locator('.scan-actions > *')
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().width))
      expect(widths.at(-2)).toBe(widths.length % 2 === 0 ? widths.at(-1) : widths[0])
    }
    await close()
  })
})

it('offers to reload if the decoder does not load', async () => {
  const { page, problems, close } = await openWallet(site, await site.t.createWallet())
  await page.route('**/scanWorker*', (route) => route.abort())
  await page.goto('/wallet#scan')
  await page.getByText('The page did not load.').waitFor()
  expect(problems.length).toBeGreaterThan(0)
  problems.length = 0
  await close()
})

describe('picture', () => {
  it('is read, and a file without a code is reported', async () => {
    const { page, close } = await openWallet(site, await site.t.createWallet({ mode: 'sandbox' }))
    await page.addInitScript(() => {
      const close = ImageBitmap.prototype.close
      ImageBitmap.prototype.close = function (this: ImageBitmap) {
        document.documentElement.dataset.closed = `${this.width}`
        close.call(this)
      }
    })
    await page.goto('/wallet#scan')
    const input = page.locator('input[type=file]')
    const text = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    // The camera's hint doesn't replace the problem with the picture.
    await page.getByText('No code found yet.').waitFor()
    await input.setInputFiles(text)
    await page.getByText('No code found in this picture.').waitFor()
    await page.waitForTimeout(500)
    expect(await page.getByText('No code found in this picture.').count()).toBe(1)
    const { qr_code } = await site.t.createPayment(shop.sandbox)
    const picture = { name: 'a.png', mimeType: 'image/png', buffer: await qrPng(qr_code, 900) }
    await input.setInputFiles(picture)
    await page.getByRole('heading', { name: 'Not enough balance' }).waitFor()
    // The bitmap of a photo takes many megabytes.
    expect(await page.locator('html').getAttribute('data-closed')).toBe('900')
    await close()
  })
})

describe('demo wallet', () => {
  it('opens with one tap and is marked as sandbox', async () => {
    const { wallet } = await site.t.createWallet({ mode: 'sandbox', balance: '1000' })
    site.t.service.markPrepared(wallet.walletId)
    const { page, close } = await site.open()
    await page.goto('/wallet')
    await page.getByRole('button', { name: 'Try the demo wallet' }).click()
    await page.locator('.balance').getByText('1,000.00').waitFor()
    await page.getByText('No real money moves here.').waitFor()
    await close()
  })
})

describe('the wallet app', () => {
  it('first loads less than 110 kB of scripts and styles; without a network, it opens, shows no old amounts and recovers by itself', async () => {
    const payer = await site.t.createWallet({ balance: '31' })
    const { page, problems, close } = await openWallet(site, payer, { serviceWorkers: 'allow' })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    let bytes = 0
    let assetBytes = 0
    const urls: string[] = []
    devtools.on('Network.responseReceived', ({ response }) => {
      urls.push(response.url)
      // Without headers, which depend on how the build splits the files.
      if (response.url.includes('/assets/')) {
        assetBytes += Number(response.headers['content-length'])
      }
    })
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto('/wallet')
    await page.getByRole('region', { name: 'Balance' }).getByText('31.00').waitFor()
    await page.waitForLoadState('networkidle')
    expect(assetBytes).toBeGreaterThan(50_000)
    expect(assetBytes).toBeLessThan(110_000)
    expect(bytes).toBeLessThan(120_000)
    // The scanner is loaded only when it opens.
    expect(urls.filter((url) => /[Ss]can/.test(url))).toEqual([])

    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
      const cache = await caches.open('florin-wallet-1')
      while ((await cache.keys()).length < 4) await new Promise((done) => setTimeout(done, 50))
    })
    const cached = await page.evaluate(async () => {
      const cache = await caches.open('florin-wallet-1')
      return (await cache.keys()).map(({ url }) => new URL(url).pathname)
    })
    expect(cached.filter((path) => path !== '/wallet' && !path.startsWith('/assets/'))).toEqual([])
    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Cannot reach the service' }).waitFor()
    expect(await page.getByText('31.00').count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByRole('region', { name: 'Balance' }).getByText('31.00').waitFor()
    await closeAfterFailures({ page, problems, close })
  })

  it('can be installed: manifest and icons are valid', async () => {
    const { page, close } = await site.open()
    const manifest = await page.request.get('/wallet.webmanifest')
    expect(manifest.headers()['content-type']).toBe('application/manifest+json; charset=utf-8')
    const { icons, start_url, display } = await manifest.json()
    expect({ start_url, display }).toEqual({ start_url: '/wallet', display: 'standalone' })
    for (const { src, type, sizes } of icons) {
      const icon = await page.request.get(src)
      expect(icon.headers()['content-type']).toBe(type)
      if (type !== 'image/png') continue
      const body = await icon.body()
      expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`).toBe(sizes)
    }
    expect((await page.request.get('/wallet-icons/constructor')).status()).toBe(404)
    const worker = await page.request.get('/wallet-worker.js')
    expect(worker.headers()).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    })
    await close()
  })
})

const RUN = 'florinRan()'
const HOSTILE = [
  ...XSS,
  `</script><script>${RUN}</script>`,
  `javascript:${RUN}`,
  `<marquee onstart=${RUN}>`,
  `<math><mi xlink:href="javascript:${RUN}">`,
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<!--><img src=x onerror=${RUN}>`,
  `<![CDATA[><img src=x onerror=${RUN}>]]>`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `<x onclick=${RUN}>click</x>`,
  `__proto__`,
  `<select><option onclick=${RUN}>`,
]

describe('text of shops', () => {
  it('is shown as text: store, product and note', async () => {
    const products = HOSTILE.map((name) => ({ name, quantity: 1, price: 0 }))
    const hostile = await site.t.createStore({ name: HOSTILE[2]! })
    const { qr_code } = await site.t.createPayment(hostile.live, {
      amount: 1,
      products,
      reference_note: HOSTILE[3]!,
    })
    const { page, problems, close } = await openWallet(
      site,
      await site.t.createWallet({ balance: '9' }),
    )
    await page.exposeFunction('florinRan', () => problems.push('ran'))
    await page.goto(`/wallet#pay/${qr_code}`)
    await page.locator('.amount-due').waitFor()
    const shown = await page.locator('.order li bdi').allTextContents()
    expect(shown).toEqual(HOSTILE)
    expect(await page.locator('.order p bdi').textContent()).toBe(HOSTILE[3])
    expect(await page.locator('.order :is(img, script, svg, iframe, a, input)').count()).toBe(0)
    await page.locator('.pay-bar .button').first().click()
    await page.locator('.outcome-completed').waitFor()
    await page.goto('/wallet#activity')
    expect(await page.locator('.activity-row bdi').first().textContent()).toBe(HOSTILE[2])
    await page.locator('.activity-row').first().click()
    await page.locator('.outcome-completed').waitFor()
    expect(await page.locator('.paid-to').textContent()).toBe(`to ${HOSTILE[2]}`)
    expect(await page.locator('.order li bdi').allTextContents()).toEqual(HOSTILE)
    await close()
  })
})
