/** A time zone in which it is about noon, so that no day ends during a test. */
export function zoneOfNoon(): string {
  const hours = 12 - new Date().getUTCHours()
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

/** The first of these time zones in which no day ends during a test, and none has just begun. */
export function zoneFarFromMidnight(...zones: readonly string[]): string {
  const isFar = (timeZone: string) => {
    const format = new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone })
    const hour = Number(format.format())
    return hour > 0 && hour < 23
  }
  return zones.find(isFar)!
}
