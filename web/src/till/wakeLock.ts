import { useEffect } from 'react'

/** Keeps the screen on, because a phone or tablet would turn it off while the customer looks for the wallet. */
export function useWakeLock(): void {
  useEffect(() => {
    let release = () => {}
    function request(): void {
      if (document.visibilityState === 'hidden') return
      // Older browsers don't have it, and others refuse it when the battery is low.
      const lock = navigator.wakeLock?.request('screen').catch(() => null)
      release = () => void lock?.then((held) => held?.release())
    }
    request()
    // The browser releases the lock of a hidden page.
    document.addEventListener('visibilitychange', request)
    return () => {
      document.removeEventListener('visibilitychange', request)
      release()
    }
  }, [])
}
