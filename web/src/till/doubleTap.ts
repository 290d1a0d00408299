/** The longest time and distance between the two taps of a double tap. */
const MAX_INTERVAL_MS = 400
const MAX_DISTANCE_PX = 40

const CONTROLS = 'a, button, input, label, select, summary, [role=option]'

type Tap = {
  readonly control: Element | null
  readonly x: number
  readonly y: number
  readonly atMs: number
}

const controlOf = (target: unknown) => (target instanceof Element ? target.closest(CONTROLS) : null)

/**
 * Ignores the second tap of a double tap, and the second click of a double click, if the first one opened something else
 * in its place. It would press a button that the cashier has not seen yet, such as the confirmation of a refund. If the first
 * button is still there, the second tap is for another one, such as the next digit on the keypad.
 */
export function ignoreDoubleTaps(): void {
  let last: Tap | null = null
  let isIgnored = false

  function trackTap({ target, clientX: x, clientY: y }: MouseEvent): void {
    const control = controlOf(target)
    const atMs = performance.now()
    const isDoubleTap =
      last !== null &&
      atMs - last.atMs < MAX_INTERVAL_MS &&
      Math.hypot(x - last.x, y - last.y) < MAX_DISTANCE_PX
    isIgnored = isDoubleTap && last!.control !== null && !isThere(last!)
    last = isIgnored ? { ...last!, atMs } : { control, x, y, atMs }
  }
  const isThere = ({ control, x, y }: Tap) => controlOf(document.elementFromPoint(x, y)) === control

  for (const type of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click'] as const) {
    const listen = (event: MouseEvent) => {
      if (type === 'pointerdown') trackTap(event)
      // The detail of a click is 0 if the keyboard made it.
      if (!isIgnored || (type === 'click' && event.detail === 0)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    addEventListener(type, listen, { capture: true })
  }
}
