import { clockText } from '@florin/shared/time.js'

/** Counts down from what the server said was left, so that a wrong clock in the device does not matter. */
export function keepClock(whenOver: () => void): () => void {
  const time = document.querySelector<HTMLElement>('.time')
  if (time === null) return () => {}
  const part = (selector: string) => time.querySelector<HTMLElement>(selector)!
  const totalMs = Number(time.dataset.totalMs) || 1
  const endMs = performance.now() + Number(time.dataset.leftMs)

  function show(): void {
    const leftMs = endMs - performance.now()
    part('[data-clock]').textContent = clockText(leftMs / 1000)
    const ring = time!.querySelector('.ring-left')!
    ring.setAttribute('stroke-dasharray', `${Math.max(0, (leftMs / totalMs) * 100)} 100`)
    const isLast = leftMs < 60_000
    time!.classList.toggle('time-last', isLast)
    part('[data-last]').hidden = !isLast
    part('[data-until]').hidden = isLast
    if (leftMs > 0) return
    clearInterval(timer)
    whenOver()
  }
  const timer = setInterval(show, 1000)
  return () => clearInterval(timer)
}
