/** The longest time and distance between the two taps of a double tap. */
const MAX_MS = 400
const MAX_PX = 40

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
 * at this place. It would press a button that nobody has seen yet, such as the confirmation of a refund. If the first button
 * is still there, the second tap is for another one, such as the next digit on the keypad.
 */
export function ignoreDoubleTaps(): void {
  let last: Tap | null = null
  let isIgnored = false

  function decide({ target, clientX: x, clientY: y }: MouseEvent): void {
    const control = controlOf(target)
    const atMs = performance.now()
    const isNear =
      last !== null && atMs - last.atMs < MAX_MS && Math.hypot(x - last.x, y - last.y) < MAX_PX
    isIgnored = isNear && last!.control !== null && !isThere(last!)
    last = isIgnored ? { ...last!, atMs } : { control, x, y, atMs }
  }
  const isThere = ({ control, x, y }: Tap) => controlOf(document.elementFromPoint(x, y)) === control

  for (const type of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click'] as const) {
    const listen = (event: MouseEvent) => {
      if (type === 'pointerdown') decide(event)
      // A click by keyboard has no count.
      if (!isIgnored || (type === 'click' && event.detail === 0)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    addEventListener(type, listen, { capture: true })
  }
}
