import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Handles keys for the whole screen, except those that belong to the focused element. `handle` returns true if it used
 * the key, so that the browser doesn't.
 */
export function useKeys(handle: (key: string, isTyping: boolean) => boolean): void {
  const onKey = useEffectEvent(handle)
  // A layout effect, so that no key is lost between the first paint and the listener.
  useLayoutEffect(() => {
    function listen(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      // While text is composed, such as Chinese, Enter and Escape belong to the input method. Safari marks them only by this code.
      if (event.isComposing || event.keyCode === 229) return
      const target = event.target instanceof Element ? event.target : document.body
      // Enter presses the focused button or link, and a dialog handles its own keys.
      if (target.closest('select, [role=dialog]') !== null) return
      if (event.key === 'Enter' && target.closest('button, a') !== null) return
      if (onKey(event.key, target.closest('input:not([type=radio])') !== null)) {
        event.preventDefault()
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
