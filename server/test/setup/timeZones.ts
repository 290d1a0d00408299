/** A time zone in which it is about noon, so that no day ends during a test. */
export function zoneOfNoon(): string {
  const hours = 12 - new Date().getUTCHours()
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}
