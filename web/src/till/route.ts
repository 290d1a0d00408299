import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** What stands after the `#`: the name of a screen, and the payment that it shows. */
export function useRoute(): { screen: string; id: string } {
  const hash = useSyncExternalStore(subscribe, () => location.hash.slice(1))
  const [screen = '', id = ''] = hash.split('/')
  return { screen, id }
}

export function go(to: string): void {
  location.hash = to
}

/** Keys for the whole screen, unless they belong to what has the focus. */
export function useKeys(pressed: (key: string, isTyping: boolean) => boolean): void {
  const press = useEffectEvent(pressed)
  // Before the screen is painted: what somebody types as soon as they see it must not be lost.
  useLayoutEffect(() => {
    function listen(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      const target = event.target instanceof Element ? event.target : document.body
      // A button is pressed by Enter itself, and a dialog has keys of its own.
      if (target.closest('select, [role=dialog]') !== null) return
      if (event.key === 'Enter' && target.closest('button, a') !== null) return
      if (press(event.key, target.closest('input:not([type=radio])') !== null))
        event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
