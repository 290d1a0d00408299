/// <reference lib="webworker" />

// Caches the document and the files of the build, so that the wallet opens without a network. Requests to
// the API are not cached: a wallet that opens without a network must not show old amounts.

const worker = self as unknown as ServiceWorkerGlobalScope
const CACHE = 'florin-wallet-1'
const MAX_FILES = 80
const MAX_WAIT_MS = 5_000

const shell = new URL('wallet', worker.registration.scope)
const filesPath = new URL('assets/', shell).pathname

worker.addEventListener('install', () => void worker.skipWaiting())

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name !== CACHE && /^florin-wallet-/.test(name))
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => worker.clients.claim()),
  )
})

// The page sends the files that it loaded before this worker was active.
worker.addEventListener('message', (event) => {
  event.waitUntil(cacheAll(event.data as string[]))
})

async function cacheAll(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const ownFiles = urls.filter((url) => {
    const { origin, pathname } = new URL(url)
    return origin === worker.location.origin && pathname.startsWith(filesPath)
  })
  const cached = (await cache.keys()).map(({ url }) => url)
  await cache.addAll([shell.href, ...ownFiles].filter((url) => !cached.includes(url)))
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return
  if (request.mode === 'navigate' && url.pathname === shell.pathname) {
    event.respondWith(documentFor(request))
  } else if (url.pathname.startsWith(filesPath)) {
    event.respondWith(fileFor(request))
  }
})

/**
 * From the network, or from the cache if there is no network or it sends nothing for `MAX_WAIT_MS`: a cached page says that
 * there is no connection, instead of staying blank.
 */
async function documentFor(request: Request): Promise<Response> {
  const fresh = fetch(request).then(async (response) => {
    if (response.ok) await store(shell, response)
    return response
  })
  const tooLate = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS))
  const first = await Promise.race([fresh.catch(() => undefined), tooLate])
  return first ?? (await findCached(shell)) ?? fresh
}

/** From the cache first: file names contain a hash of the content. */
async function fileFor(request: Request): Promise<Response> {
  const cached = await findCached(request)
  if (cached !== undefined) return cached
  const fresh = await fetch(request)
  if (fresh.ok) await store(request, fresh)
  return fresh
}

const findCached = (key: Request | URL): Promise<Response | undefined> =>
  caches.match(key, { cacheName: CACHE }).catch(() => undefined)

/** Stores a copy of the response. The page must also work if the storage of the phone is full. */
async function store(key: Request | URL, response: Response): Promise<void> {
  const copy = response.clone()
  try {
    const cache = await caches.open(CACHE)
    await cache.put(key, copy)
    const all = await cache.keys()
    for (const old of all.slice(0, Math.max(0, all.length - MAX_FILES))) await cache.delete(old)
  } catch {}
}
