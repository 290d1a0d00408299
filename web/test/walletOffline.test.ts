import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { closeAfterFailures, openPage, type WatchedPage } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let network: Server
let origin: string
/** A stalled network accepts requests and never responds. */
let isStalled = false
const sockets = new Set<Socket>()

beforeAll(async () => {
  site = await startSite()
  const port = Number(new URL(site.origin).port)
  network = createServer((browser) => {
    const service = connect(port, 'localhost')
    for (const socket of [browser, service]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    browser.on('data', (request) => isStalled || service.write(request))
    service.pipe(browser)
    browser.on('close', () => service.destroy())
  })
  await new Promise<void>((done) => network.listen(0, 'localhost', done))
  origin = `http://localhost:${(network.address() as AddressInfo).port}`
})
afterEach(() => {
  isStalled = false
  for (const socket of sockets) socket.destroy()
})
afterAll(async () => {
  await site.close()
  network.close()
})

/** Opens the wallet, and waits until its service worker controls the page and has cached it. */
async function openCached(): Promise<WatchedPage> {
  const watched = await openPage(site.browser, origin, { serviceWorkers: 'allow' })
  const { page } = watched
  await page.goto('/wallet')
  await page.getByLabel('Phone number').waitFor()
  await page.evaluate(async () => {
    const cache = await caches.open('florin-wallet-1')
    while ((await cache.keys()).length < 4) await new Promise((done) => setTimeout(done, 50))
  })
  return watched
}

it('caches the words, even if they arrive when the service worker is already active', async () => {
  const { page, close } = await openPage(site.browser, origin, { serviceWorkers: 'allow' })
  await page.route(/\/en-[^/]+\.js$/, async (route) => {
    await new Promise((done) => setTimeout(done, 2_000))
    await route.continue()
  })
  await page.goto('/wallet')
  await page.getByLabel('Phone number').waitFor()
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const cache = await caches.open('florin-wallet-1')
        return (await cache.keys()).filter(({ url }) => url.includes('/en-')).length
      }),
    )
    .toBe(1)
  await close()
})

it('opens from the cache if a bad network does not respond', async () => {
  const watched = await openCached()
  const { page } = watched
  isStalled = true
  await page.reload({ waitUntil: 'commit' })
  await page.getByLabel('Phone number').waitFor()
  isStalled = false
  await closeAfterFailures(watched)
})

it('opens, and loads more files, if the storage of the phone is full', async () => {
  const watched = await openCached()
  const { page, close } = watched
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  await page.reload()
  await page.getByLabel('Phone number').waitFor()
  await page.getByRole('link', { name: 'I have an activation code' }).click()
  await page.getByLabel('Activation code').waitFor()
  const cached = await page.evaluate(async () => {
    const cache = await caches.open('florin-wallet-1')
    return (await cache.keys()).map(({ url }) => url)
  })
  expect(cached.filter((url) => url.includes('Activate'))).toEqual([])
  await close()
})
