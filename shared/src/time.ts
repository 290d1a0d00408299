import type { Locale } from './locales.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Day and time to the minute with its zone: what stands on a receipt. */
export function timeText(
  at: Date,
  { locale, timeZone }: { locale: Locale; timeZone: string },
): string {
  const name = `${locale} ${timeZone}`
  let format = formats.get(name)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, {
      ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
      ...{ timeZone, timeZoneName: 'short', numberingSystem: 'latn' },
    })
    formats.set(name, format)
  }
  return format.format(at)
}

/** `14:31`, or `1:02:03` from an hour on. The same in every language. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = `${two(minutes)}:${two(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
