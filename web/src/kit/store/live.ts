import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAccount } from '../account/context.ts'
import { MAX_REFRESHED_PAGES } from '../query.ts'
import { basePath } from '../request.ts'
import { MODES } from './payment.ts'

const REOPEN_MS = 10_000
/** The server sends a heartbeat every 15 seconds. Without a network, the browser keeps a stream open for many minutes. */
const MAX_SILENCE_MS = 40_000
const ACCOUNT_REFRESH_MS = 60_000

type Options = {
  /** Whether a hidden page is updated too. Browsers open only six connections to a host, for all tabs together. */
  readonly isHiddenUpdated?: boolean
}

/** When a payment of the store changes, reads payments, balances and other data of a mode again, except long lists. */
export function useLiveUpdates({ isHiddenUpdated = false }: Options = {}): void {
  const client = useQueryClient()
  useEffect(() => {
    let stream: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    function isRefreshed({ queryKey, state }: Query): boolean {
      const { pages = [] } = (state.data ?? {}) as { pages?: readonly unknown[] }
      const isOfMode = MODES.some((mode) => String(queryKey[1]).startsWith(`${mode}/`))
      return isOfMode && pages.length <= MAX_REFRESHED_PAGES
    }
    async function refresh(): Promise<void> {
      // `invalidateQueries` waits for a first read that is in progress instead of sending it again. Its response may be
      // older than the change, so it is read once more.
      const firstReads = client
        .getQueryCache()
        .findAll({ predicate: (query) => isRefreshed(query) && query.state.data === undefined })
      await client.invalidateQueries({ predicate: isRefreshed })
      await client.invalidateQueries({ predicate: (query) => firstReads.includes(query) })
    }
    function open(): void {
      close()
      if (document.visibilityState === 'hidden' && !isHiddenUpdated) return
      const opened = new EventSource(`${basePath}/store/changes`)
      stream = opened
      function openAgainIn(ms: number): void {
        clearTimeout(timer)
        timer = setTimeout(open, ms)
      }
      function onEvent(): void {
        openAgainIn(MAX_SILENCE_MS)
        void refresh()
      }
      openAgainIn(MAX_SILENCE_MS)
      opened.addEventListener('heartbeat', () => openAgainIn(MAX_SILENCE_MS))
      opened.onmessage = onEvent
      // Changes may have been missed while there was no connection, also between the first reads and the first connection.
      opened.onopen = onEvent
      opened.onerror = () => {
        // The browser opens a lost stream again, but not one that was refused.
        if (opened.readyState === EventSource.CLOSED) openAgainIn(REOPEN_MS)
      }
    }
    function close(): void {
      clearTimeout(timer)
      stream?.close()
      stream = undefined
    }
    open()
    if (!isHiddenUpdated) document.addEventListener('visibilitychange', open)
    return () => {
      document.removeEventListener('visibilitychange', open)
      close()
    }
  }, [client, isHiddenUpdated])
}

/** Reloads the session regularly while the page is visible: the settings of the store and the role of the person can change. */
export function useCurrentAccount(): void {
  const { refresh } = useAccount()
  useEffect(() => {
    const refreshIfVisible = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    const timer = setInterval(refreshIfVisible, ACCOUNT_REFRESH_MS)
    document.addEventListener('visibilitychange', refreshIfVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refreshIfVisible)
    }
  }, [refresh])
}
