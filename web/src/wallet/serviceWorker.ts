/// <reference lib="webworker" />

// Keeps what the app is made of, so that it opens without a network. Amounts never come from here:
// whatever is not the document or a file of the build is left to the network, untouched.

const worker = self as unknown as ServiceWorkerGlobalScope
const CACHE = 'florin-wallet-1'
const MAX_FILES = 80

const shell = new URL('wallet', worker.registration.scope)
const files = new URL('assets/', shell).pathname

worker.addEventListener('install', () => void worker.skipWaiting())

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((one) => one !== CACHE && /^florin-wallet-/.test(one)).map(forget),
        ),
      )
      .then(() => worker.clients.claim()),
  )
})

const forget = (name: string) => caches.delete(name)

// What the page had loaded before this worker was there.
worker.addEventListener('message', (event) => {
  event.waitUntil(keepAll(event.data as string[]))
})

async function keepAll(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const own = urls.filter((url) => {
    const { origin, pathname } = new URL(url)
    return origin === worker.location.origin && pathname.startsWith(files)
  })
  await cache.addAll([shell.href, ...own])
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return
  if (request.mode === 'navigate' && url.pathname === shell.pathname) {
    event.respondWith(documentFor(request))
  } else if (url.pathname.startsWith(files)) {
    event.respondWith(fileFor(request))
  }
})

/** The newest if there is one to be had. */
async function documentFor(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  try {
    const fresh = await fetch(request)
    if (fresh.ok) await cache.put(shell, fresh.clone())
    return fresh
  } catch (error) {
    const kept = await cache.match(shell)
    if (kept === undefined) throw error
    return kept
  }
}

/** A file's name carries a hash of what is in it, so what is kept is never old. */
async function fileFor(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept !== undefined) return kept
  const fresh = await fetch(request)
  if (fresh.ok) {
    await cache.put(request, fresh.clone())
    const all = await cache.keys()
    for (const old of all.slice(0, Math.max(0, all.length - MAX_FILES))) await cache.delete(old)
  }
  return fresh
}
