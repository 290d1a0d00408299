import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isTimeZone,
  lastDays,
  localDay,
  monthOf,
  parseTime,
  startOfDay,
  startOfLocalDay,
  wireTime,
} from '../../src/core/calendar.ts'

const runs = { numRuns: 2_000 }
const MINUTE_MS = 60_000

const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Africa/Cairo',
  'Asia/Gaza',
  'Pacific/Chatham',
  'Etc/GMT+12',
  'Africa/Casablanca',
]

/** An independent implementation: another locale, the whole time, and no cache. */
const oracles = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
)
const dayOracle = (at: Date, zone: string) => oracles.get(zone)!.format(at).split(' ')[0]

describe('startOfDay', () => {
  it.each([
    ['UTC', '2026-03-10T23:59:59.999Z', '2026-03-10T00:00:00Z'],
    ['UTC', '2026-03-10T00:00:00Z', '2026-03-10T00:00:00Z'],
    ['Pacific/Apia', '2026-03-10T12:00:00Z', '2026-03-10T11:00:00Z'],
    ['Asia/Kathmandu', '2026-03-10T12:00:00Z', '2026-03-09T18:15:00Z'],
    // Days of 23, 25 and 27 hours, and one that starts at one o'clock.
    ['Europe/Paris', '2026-03-29T21:59:00Z', '2026-03-28T23:00:00Z'],
    ['Europe/Paris', '2026-10-25T22:59:00Z', '2026-10-24T22:00:00Z'],
    ['Antarctica/Casey', '2018-03-11T15:59:00Z', '2018-03-10T13:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04T03:00:00Z'],
  ])('%s at %s started at %s', (zone, at, start) => {
    expect(startOfDay(new Date(at), zone)).toEqual(new Date(start))
  })

  it('is in the same day, and the minute before is not', () => {
    const since = Date.UTC(2012, 0, 1)
    const minutes = fc.integer({ min: 0, max: 20 * 525_600 })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, minute) => {
        const at = new Date(since + minute * MINUTE_MS + 1)
        const start = startOfDay(at, zone)
        expect(dayOracle(start, zone)).toBe(dayOracle(at, zone))
        const before = new Date(start.getTime() - MINUTE_MS)
        expect(dayOracle(before, zone)).not.toBe(dayOracle(at, zone))
      }),
      { numRuns: 500 },
    )
  })
})

describe('isTimeZone', () => {
  it.each([...ZONES, 'Asia/Shanghai', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince'])(
    'accepts %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )

  it('accepts every zone that the platform lists', () => {
    for (const name of Intl.supportedValuesOf('timeZone')) expect(isTimeZone(name)).toBe(true)
  })

  it.each([
    '',
    ' ',
    '+02:00',
    '-05',
    '+0200',
    '02:00',
    'Mars/Olympus',
    'Europe/Paris ',
    ' UTC',
    'UTC\n',
    'Europe/',
    '../etc',
    'Europe/Paris\0',
    'constructor',
    'x'.repeat(10_000),
  ])('refuses $0', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(typeof isTimeZone(name)).toBe('boolean')
      }),
      runs,
    )
  })
})

describe('localDay', () => {
  it('agrees with the oracle at any time since 1970', () => {
    const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(time, fc.constantFrom(...ZONES), (at, zone) => {
        expect(localDay(at, zone)).toBe(dayOracle(at, zone))
      }),
      runs,
    )
  })

  // The days around clock changes, among them two that go back over midnight (St. John's at
  // one minute past, Sao Paulo at midnight), a skipped day (Apia) and a half-hour change.
  it.each([
    ['Europe/Paris', '2026-03-29'],
    ['Europe/Paris', '2026-10-25'],
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['America/St_Johns', '2006-10-29'],
    ['America/Sao_Paulo', '2018-02-18'],
    ['America/Sao_Paulo', '2018-11-04'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Pacific/Apia', '2011-12-30'],
    ['Asia/Gaza', '2011-04-01'],
    ['Africa/Cairo', '2026-04-24'],
    ['Africa/Monrovia', '1972-01-07'],
  ])('is correct every half minute around %s %s', (zone, day) => {
    const middleMs = Date.parse(`${day}T12:00:00Z`)
    const oracle = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
    for (let ms = middleMs - 30 * 3_600_000; ms < middleMs + 30 * 3_600_000; ms += 30_000) {
      const actual = localDay(new Date(ms), zone)
      const expected = oracle.format(ms)
      if (actual !== expected) expect([ms, actual]).toEqual([ms, expected])
    }
  })

  it('does not use the cache beyond the last millisecond of a day', () => {
    const midnightMs = Date.parse('2026-07-01T22:00:00Z')
    expect(localDay(new Date(midnightMs - 1), 'Europe/Paris')).toBe('2026-07-01')
    expect(localDay(new Date(midnightMs), 'Europe/Paris')).toBe('2026-07-02')
    expect(localDay(new Date(midnightMs - 1), 'Europe/Paris')).toBe('2026-07-01')
    expect(localDay(new Date(midnightMs + MINUTE_MS - 1), 'Europe/Paris')).toBe('2026-07-02')
  })

  it('throws on a time or a zone that does not exist', () => {
    expect(() => localDay(new Date(Number.NaN), 'UTC')).toThrow(RangeError)
    expect(() => localDay(new Date(0), 'Mars/Olympus')).toThrow(RangeError)
  })
})

describe('monthOf and wireTime', () => {
  it('truncate to the month and to the second', () => {
    expect(monthOf('2026-02-28')).toBe('2026-02-01')
    expect(wireTime(new Date('2026-02-03T04:05:06.789Z'))).toBe('2026-02-03 04:05:06')
  })
})

describe('parseTime', () => {
  it.each([
    ['2026-02-03 04:05:06', '2026-02-03T04:05:06.000Z'],
    ['2026-02-03T04:05:06Z', '2026-02-03T04:05:06.000Z'],
    ['2026-02-03T04:05:06', '2026-02-03T04:05:06.000Z'],
    ['2026-02-03T04:05', '2026-02-03T04:05:00.000Z'],
    ['2026-02-03T04:05:06.7', '2026-02-03T04:05:06.700Z'],
    ['2026-02-03T04:05:06.789999Z', '2026-02-03T04:05:06.789Z'],
    ['2026-02-03T04:05:06+02:00', '2026-02-03T02:05:06.000Z'],
    ['2026-02-03T04:05:06-05:30', '2026-02-03T09:35:06.000Z'],
    ['2026-02-03T04:05:06+0200', '2026-02-03T02:05:06.000Z'],
    ['2026-02-03T04:05:06+02', '2026-02-03T02:05:06.000Z'],
    ['2026-01-01T00:30+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-02-03', '2026-02-03T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0050-03-01', '0050-03-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59', '9999-12-31T23:59:59.000Z'],
  ])('parses %s', (text, expected) => {
    expect(parseTime(text)?.toISOString()).toBe(expected)
  })

  it.each([
    '',
    ' ',
    '2026',
    '2026-02',
    '2026-02-30',
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '2026-1-1',
    '20260203',
    '2026-02-03 24:00:00',
    '2026-02-03 23:60:00',
    '2026-02-03 23:59:60',
    '2026-02-03 04:05',
    '2026-02-03 04:05:06Z',
    '2026-02-03T',
    '2026-02-03T04',
    '2026-02-03T04:05:06.',
    '2026-02-03Z',
    '2026-02-03T04:05:06+24:00',
    '2026-02-03T04:05:06+02:60',
    '2026-02-03T04:05:06 02:00',
    '2026-02-03T04:05:06z',
    '2026-02-03t04:05:06Z',
    ' 2026-02-03',
    '2026-02-03 ',
    '2026-02-03\n',
    '+002026-02-03',
    '-2026-02-03',
    '1769904000',
    'yesterday',
    'Tue, 03 Feb 2026 04:05:06 GMT',
    '２０２６-02-03',
    '2026-02-03T04:05:06.1234567890Z',
    '2'.repeat(10_000),
  ])('refuses $0', (text) => {
    expect(parseTime(text)).toBeNull()
  })

  it('parses every second that wireTime prints, and every ISO time', () => {
    const time = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(time, (at) => {
        expect(parseTime(wireTime(at))!.getTime()).toBe(Math.floor(at.getTime() / 1000) * 1000)
        expect(parseTime(at.toISOString())!.getTime()).toBe(at.getTime())
      }),
      runs,
    )
  })

  it('accepts a date only if it exists in the calendar', () => {
    const number = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(fc.integer({ min: 1600, max: 2400 }), number(14), number(33), (y, m, d) => {
        const isLeapYear = y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0)
        const lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        const isInCalendar = d >= 1 && d <= (lengths[m - 1] ?? 0)
        const text = `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
        expect(parseTime(text) !== null).toBe(isInCalendar)
      }),
      runs,
    )
  })

  it('never throws', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9TZ:. +-]{0,30}$/))
    fc.assert(
      fc.property(text, (input) => {
        const at = parseTime(input)
        expect(at === null || Number.isFinite(at.getTime())).toBe(true)
      }),
      runs,
    )
  })
})

describe('days of a zone', () => {
  it.each([
    ['2026-11-15', 'UTC', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15', 'Pacific/Kiritimati', '2026-11-14T10:00:00.000Z'],
    ['2026-11-15', 'Etc/GMT+12', '2026-11-15T12:00:00.000Z'],
    ['2026-11-15', 'Asia/Kathmandu', '2026-11-14T18:15:00.000Z'],
    // The clocks went forward at midnight, so the day starts at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ])('%s starts in %s at %s', (day, zone, start) => {
    expect(startOfLocalDay(day, zone)?.toISOString()).toBe(start)
  })

  it('a day that a zone skipped, or an invalid day, has no start', () => {
    expect(startOfLocalDay('2011-12-30', 'Pacific/Apia')).toBeNull()
    expect(startOfLocalDay('today', 'UTC')).toBeNull()
  })

  it('lastDays returns adjacent days of any length', () => {
    const days = lastDays(new Date('2026-10-26T12:00:00Z'), 'Europe/Berlin', 3)
    expect(days.map(({ day }) => day)).toEqual(['2026-10-26', '2026-10-25', '2026-10-24'])
    const hours = days.map(({ from, to }) => (to.getTime() - from.getTime()) / 3_600_000)
    expect(hours).toEqual([24, 25, 24])
    expect(days[1]!.to).toEqual(days[0]!.from)
  })
})
