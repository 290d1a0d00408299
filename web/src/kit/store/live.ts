import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { MAX_REFRESHED_PAGES } from '../query.ts'
import { basePath } from '../request.ts'
import { MODES } from './payment.ts'

const REOPEN_MS = 10_000

/** When a payment of the store changes, reads payments, balances and other data of a mode again, except long lists. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  useEffect(() => {
    let stream: EventSource
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
      stream = new EventSource(`${basePath}/store/changes`)
      stream.onmessage = () => void refresh()
      // Changes may have been missed while there was no connection, also between the first reads and the first connection.
      stream.onopen = () => void refresh()
      stream.onerror = () => {
        // The browser opens a lost stream again, but not one that was refused.
        if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS)
      }
    }
    open()
    return () => {
      clearTimeout(timer)
      stream.close()
    }
  }, [client])
}
