const POLL_MS = 3_000
const FALLBACK_POLL_MS = 30_000
const TIMEOUT_MS = 10_000

/** Statuses that can still change. */
const CHANGEABLE = ['pending', 'completed']

/**
 * Follows the payment by server-sent events, and by polling while the stream is lost or the browser or the page is offline. The
 * server renders each state: a change replaces the page's main element.
 */
export function followPayment(onChange: (status: string) => void): { poll: () => void } {
  const base = location.pathname.replace(/\/$/, '')
  let shown = statusOf(document)
  let isUpdating = false
  if (!CHANGEABLE.includes(shown)) return { poll: () => {} }

  let source: EventSource | null = null
  /** Opens a new stream, unless the page is hidden: browsers open only six connections to a host, for all tabs together. */
  function openStream(): void {
    source?.close()
    source = document.visibilityState === 'hidden' ? null : new EventSource(`${base}/events`)
    if (source !== null) source.onmessage = ({ data }) => void update(data)
  }
  openStream()
  document.addEventListener('visibilitychange', openStream)
  const timer = setInterval(() => {
    const isStreamLost = source !== null && source.readyState !== EventSource.OPEN
    if (isStreamLost || !navigator.onLine || offlineNote()?.hidden === false) poll()
  }, POLL_MS)
  // A stream stays open when the network is lost. A hidden page has no stream.
  const fallback = setInterval(poll, FALLBACK_POLL_MS)
  // The payer comes back from the wallet, or the network is lost or returns.
  document.addEventListener('visibilitychange', poll)
  addEventListener('online', poll)
  addEventListener('offline', poll)

  function poll(): void {
    fetch(`${base}/state`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      .then((response) => {
        // From a proxy that can't reach the service, or an overloaded service.
        showOffline(response.status >= 502)
        return response.ok ? response.json() : null
      })
      .then((body) => body && update(body.data.status))
      .catch(() => showOffline(true))
  }

  async function update(status: string): Promise<void> {
    if (status === shown || isUpdating) return
    isUpdating = true
    try {
      const response = await fetch(location.href, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const next = new DOMParser().parseFromString(await response.text(), 'text/html')
      // Throws if this is the error page of a proxy.
      const rendered = statusOf(next)
      if (rendered === shown) return
      shown = rendered
      mainOf(document).replaceWith(document.adoptNode(mainOf(next)))
      document.title = next.title
      const texts = [...document.querySelectorAll('main h1, main h1 + p')].map(
        (element) => element.textContent,
      )
      announce(texts.join(' '))
      onChange(shown)
      if (CHANGEABLE.includes(shown)) return
      clearInterval(timer)
      clearInterval(fallback)
      document.removeEventListener('visibilitychange', openStream)
      source?.close()
    } catch {
      // The network or the service failed: poll again soon.
      setTimeout(poll, POLL_MS)
    } finally {
      isUpdating = false
    }
  }

  return { poll }
}

const offlineNote = () => document.querySelector<HTMLElement>('[data-offline]')

function showOffline(isOffline: boolean): void {
  const note = offlineNote()
  if (note === null || note.hidden !== isOffline) return
  note.hidden = !isOffline
  announce(isOffline ? note.textContent : '')
}

/** For screen readers. */
function announce(text: string): void {
  document.querySelector('[role=status]')!.textContent = text
}

const mainOf = (page: Document) => page.querySelector<HTMLElement>('main[data-status]')!
const statusOf = (page: Document) => mainOf(page).dataset.status!
