import { useEffect } from 'react'

/** Longer than React Aria takes to return the focus from a closed dialog. */
const DELAY_MS = 200
const CONTROLS = 'a[href], summary, :is(button, input, select, textarea):enabled'

const controlsIn = (root: ParentNode) =>
  [...root.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (control) => control.getClientRects().length > 0,
  )

/**
 * When the control that has the keyboard's focus is removed, such as the button of a deleted row, focuses the control before
 * it, or the one in its place. Otherwise no element has the focus, and a screen reader loses its place.
 */
export function useLostFocus(): void {
  useEffect(() => {
    let focused: HTMLElement | null = null
    let parents: readonly Element[] = []
    let controlsBefore: readonly HTMLElement[] = []
    let timer: number | undefined

    function remember({ target }: FocusEvent): void {
      const control = target as HTMLElement
      // A press of a mouse or finger doesn't need the focus afterwards, and a focused field opens the keyboard of a phone.
      focused = control.matches(':focus-visible') ? control : null
      if (focused === null) return
      parents = parentsOf(control)
      const controls = controlsIn(document)
      controlsBefore = controls.slice(0, Math.max(0, controls.indexOf(control)))
    }
    function forget(): void {
      focused = null
    }
    function restore(): void {
      if (focused === null || focused.isConnected || document.activeElement !== document.body)
        return
      const place = parents.find((parent) => parent.isConnected)
      const before = controlsBefore.findLast((control) => control.isConnected)
      const inPlace = place && (place.contains(before ?? null) ? before : controlsIn(place)[0])
      const next = inPlace ?? document.querySelector<HTMLElement>('.shell-main h1')
      next?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = window.setTimeout(restore, DELAY_MS)
    })

    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    document.addEventListener('pointerdown', forget)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget)
    }
  }, [])
}

/** The parents up to the content of the page. */
function parentsOf(element: Element): readonly Element[] {
  const parents: Element[] = []
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (at.matches('.shell, body')) break
    parents.push(at)
  }
  return parents
}
