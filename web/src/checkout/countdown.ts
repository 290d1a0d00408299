import { clockText } from '@florin/shared/time.js'

/** Counts down from the time that the server gave, so that a wrong clock in the device does not matter. */
export function startCountdown(onEnd: () => void): () => void {
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
    const isLastMinute = leftMs < 60_000
    time!.classList.toggle('time-last', isLastMinute)
    part('[data-last]').hidden = !isLastMinute
    part('[data-until]').hidden = isLastMinute
    if (leftMs > 0) return
    clearInterval(timer)
    onEnd()
  }
  const timer = setInterval(show, 1000)
  return () => clearInterval(timer)
}
