import { useCallback, useEffect, useRef, useState } from 'react'
import { basePath } from '../kit/request.ts'

/** Pages also poll, because notifications can get lost and the server limits streams. */
const POLL_MS = 60_000
const RETRY_MS = 5_000

/** Counts how often the money of the wallet moved, or may have moved. Pages read their data again when the count changes. */
export function useWalletChanges(isSignedIn: boolean): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    if (!isSignedIn) return
    const count = () => setChanges((before) => before + 1)
    let source: EventSource | null = null

    /** Opens a new stream, unless the page is hidden: browsers open only a few connections to one host. */
    function follow(): void {
      source?.close()
      source = null
      if (document.visibilityState === 'hidden') return
      const opened = new EventSource(`${basePath}/wallet/events`)
      source = opened
      opened.onmessage = count
      // The stream was interrupted, so events may have been missed.
      opened.onerror = () => {
        opened.onopen = count
      }
    }
    function resume(): void {
      follow()
      if (source !== null) count()
    }
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return
      if (source === null || source.readyState === EventSource.CLOSED) follow()
      count()
    }, POLL_MS)
    follow()
    document.addEventListener('visibilitychange', resume)
    addEventListener('online', resume)
    return () => {
      source?.close()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', resume)
      removeEventListener('online', resume)
    }
  }, [isSignedIn])
  return changes
}

/**
 * Orders reads that run at the same time. Call the returned function before a read, and its result after the response: false
 * means that a later read has already responded, so ignore this one. A slow read counts until then, because on a bad
 * network the next one may fail.
 */
export function useReadOrder(): () => () => boolean {
  const started = useRef(0)
  const shown = useRef(0)
  return useCallback(() => {
    started.current += 1
    const own = started.current
    return () => {
      if (own < shown.current) return false
      shown.current = own
      return true
    }
  }, [])
}

/**
 * Retries a failed read when the browser is online again, and at an interval, because the browser doesn't notice every loss of
 * the connection.
 */
export function useRecovery(hasFailed: boolean, retry: () => void): void {
  const latest = useRef(retry)
  latest.current = retry
  useEffect(() => {
    if (!hasFailed) return
    const retryLatest = () => latest.current()
    const timer = setInterval(retryLatest, RETRY_MS)
    addEventListener('online', retryLatest)
    return () => {
      clearInterval(timer)
      removeEventListener('online', retryLatest)
    }
  }, [hasFailed])
}
