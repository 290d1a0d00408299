import type { Locale } from '@florin/shared/locales.js'
import { clockText, deadlineText } from '@florin/shared/time.js'

/** Counts down from the remaining time that the server sent, so that a wrong clock of the device does not matter. */
export function startCountdown(onEnd: () => void): () => void {
  const time = document.querySelector<HTMLElement>('.time')
  if (time === null) return () => {}
  const part = (selector: string) => time.querySelector<HTMLElement>(selector)!
  const totalMs = Number(time.dataset.totalMs) || 1
  const leftAtStartMs = Number(time.dataset.leftMs)
  // Not on the monotonic clock, which stands still while a phone sleeps.
  const endMs = Date.now() + leftAtStartMs

  // The server only knows the time zone of the store.
  const until = part('[data-until]')
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const place = { locale: document.documentElement.lang as Locale, timeZone }
  const endsAt = new Date(time.dataset.endsAt!)
  const localTime = deadlineText(endsAt, new Date(endsAt.getTime() - leftAtStartMs), place)
  until.textContent = until.textContent!.replace(until.dataset.until!, localTime)

  function show(): void {
    const leftMs = endMs - Date.now()
    part('[data-clock]').textContent = clockText(leftMs / 1000)
    const ring = time!.querySelector('.ring-left')!
    ring.setAttribute('stroke-dasharray', `${Math.max(0, (leftMs / totalMs) * 100)} 100`)
    const isLastMinute = leftMs < 60_000
    time!.classList.toggle('time-last', isLastMinute)
    part('[data-last]').hidden = !isLastMinute
    until.hidden = isLastMinute
    if (leftMs > 0) return
    clearInterval(timer)
    onEnd()
  }
  const timer = setInterval(show, 1000)
  return () => clearInterval(timer)
}
