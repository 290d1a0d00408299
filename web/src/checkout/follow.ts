const POLL_MS = 3_000
const POLL_ANYWAY_MS = 30_000
const PATIENCE_MS = 10_000

/** What something can still come after. */
const OPEN = ['pending', 'completed']

/**
 * Follows the payment by server-sent events, and by asking wherever there is no stream. A change is
 * drawn by the server: the new page's main part takes the place of the old.
 */
export function followPayment(whenChanged: (status: string) => void): { look: () => void } {
  const base = location.pathname.replace(/\/$/, '')
  let shown = statusOf(document)
  let isDrawing = false
  if (!OPEN.includes(shown)) return { look: () => {} }

  const source = new EventSource(`${base}/events`)
  source.onmessage = ({ data }) => void draw(data)
  const timer = setInterval(() => {
    if (source.readyState !== EventSource.OPEN) look()
  }, POLL_MS)
  // A stream whose network is gone without a word stays open, and its beats are hidden from scripts.
  const anyway = setInterval(look, POLL_ANYWAY_MS)

  function look(): void {
    fetch(`${base}/state`, { signal: AbortSignal.timeout(PATIENCE_MS) })
      .then((answer) => (answer.ok ? answer.json() : null))
      .then((body) => body && draw(body.data.status))
      .catch(() => {})
  }

  async function draw(status: string): Promise<void> {
    if (status === shown || isDrawing) return
    isDrawing = true
    try {
      const answer = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE_MS) })
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const now = statusOf(next)
      if (now === shown) return
      shown = now
      document.querySelector('main')!.replaceWith(document.adoptNode(next.querySelector('main')!))
      document.title = next.title
      const said = [...document.querySelectorAll('main h1, main h1 + p')].map((e) => e.textContent)
      document.querySelector('[role=status]')!.textContent = said.join(' ')
      whenChanged(shown)
      if (OPEN.includes(shown)) return
      clearInterval(timer)
      clearInterval(anyway)
      source.close()
    } catch {
      // Offline for a moment: the next event, or the next time that it asks, tries again.
      setTimeout(look, POLL_MS)
    } finally {
      isDrawing = false
    }
  }

  return { look }
}

const statusOf = (page: Document) => page.querySelector('main')!.dataset.status!
