import { expect, it, vi } from 'vitest'
import { lastDays as daysUntil } from '../../src/core/calendar.ts'
import type { StoreId } from '../../src/core/ids.ts'
import { NO_OUTCOMES } from '../../src/core/outcomes.ts'
import type { OutcomeReader, StoreDay } from '../../src/ops/outcomes.ts'
import { readSeries, sameTimeOfDay } from '../../src/ops/series.ts'

const DAY_MS = 86_400_000
const at = new Date('2026-11-15T12:00:00Z')

/** The last days until `at`, newest first. */
const lastDays = (count: number): StoreDay[] =>
  Array.from({ length: count }, (_, n) => {
    const from = new Date(Date.parse('2026-11-15T00:00:00Z') - n * DAY_MS)
    return { storeId: 1 as StoreId, mode: 'live', from, to: new Date(from.getTime() + DAY_MS) }
  })

/** Reads `count` days and the days before them. Each takes two seconds, and none is cached. */
function readSlowly(count: number) {
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const readDay = async () => {
    nowMs += 2_000
    return [NO_OUTCOMES]
  }
  const reader: OutcomeReader = {
    isCached: () => false,
    readHours: readDay,
    readHoursUntil: readDay,
  }
  const days = lastDays(2 * count)
  return readSeries(reader, {
    days: days.slice(0, count),
    daysBefore: days.slice(count),
    timeZone: 'UTC',
    at,
  })
}

it('stops summing up days after a second, and reports that days are missing', async () => {
  const { points, before, isComplete } = await readSlowly(2)
  expect(points.map(({ from }) => from)).toEqual([new Date('2026-11-15T00:00:00Z')])
  expect(before).toEqual([])
  expect(isComplete).toBe(false)
})

it('always compares one day with the day before', async () => {
  const { before, isComplete } = await readSlowly(1)
  expect(before.map(({ from }) => from)).toEqual([new Date('2026-11-14T00:00:00Z')])
  expect(isComplete).toBe(true)
})

it('compares a period that ends in the future only as far as it has passed', async () => {
  const untils: [day: Date, until: Date][] = []
  const reader: OutcomeReader = {
    isCached: () => true,
    readHours: async () => [NO_OUTCOMES],
    readHoursUntil: async ({ from }, until) => {
      untils.push([from, until])
      return [NO_OUTCOMES]
    },
  }
  // 15 November is today.
  const [from, to] = [new Date('2026-11-14T00:00:00Z'), new Date('2026-11-17T00:00:00Z')]
  const all = lastDays(6).map((day) => ({
    ...day,
    from: new Date(day.from.getTime() + DAY_MS),
    to: new Date(day.to.getTime() + DAY_MS),
  }))
  expect([all[2]!.from, all[0]!.to]).toEqual([from, to])
  await readSeries(reader, {
    days: all.slice(0, 3),
    daysBefore: all.slice(3),
    timeZone: 'UTC',
    at,
  })
  expect(untils).toEqual([
    [new Date('2026-11-13T00:00:00Z'), new Date('2026-11-13T00:00:00Z')],
    [new Date('2026-11-12T00:00:00Z'), new Date('2026-11-12T12:00:00Z')],
    [new Date('2026-11-11T00:00:00Z'), new Date('2026-11-12T00:00:00Z')],
  ])
})

it.each([
  [
    'the day on which clocks are set back',
    'Europe/Berlin',
    '2026-10-25T14:00:00Z',
    '2026-10-24T13:00:00Z',
  ],
  ['the day after it', 'Europe/Berlin', '2026-10-26T14:00:00Z', '2026-10-25T14:00:00Z'],
  [
    'the last hour of the day after it',
    'Europe/Berlin',
    '2026-10-26T22:30:00Z',
    '2026-10-25T22:30:00Z',
  ],
  [
    'the day on which clocks are set forward',
    'Europe/Berlin',
    '2026-03-29T13:00:00Z',
    '2026-03-28T14:00:00Z',
  ],
  ['the day after it', 'Europe/Berlin', '2026-03-30T13:00:00Z', '2026-03-29T13:00:00Z'],
  [
    'the last hour of the day after it',
    'Europe/Berlin',
    '2026-03-30T21:30:00Z',
    '2026-03-29T21:30:00Z',
  ],
  [
    'a time that clocks skipped the day before',
    'Europe/Berlin',
    '2026-03-30T00:30:00Z',
    '2026-03-29T00:30:00Z',
  ],
  [
    'after midnight, which clocks skipped the day before',
    'Africa/Cairo',
    '2026-04-24T21:30:00Z',
    '2026-04-23T22:00:00Z',
  ],
  [
    'the last hour of the day after a skipped midnight',
    'Africa/Cairo',
    '2026-04-25T20:30:00Z',
    '2026-04-24T20:30:00Z',
  ],
  [
    'after clocks were set forward by half an hour',
    'Australia/Lord_Howe',
    '2026-10-05T12:45:00Z',
    '2026-10-04T12:45:00Z',
  ],
  [
    'after clocks were set back by half an hour',
    'Australia/Lord_Howe',
    '2026-04-06T13:15:00Z',
    '2026-04-05T13:15:00Z',
  ],
  ['a day without a change', 'Asia/Kathmandu', '2026-11-15T18:00:00Z', '2026-11-14T18:00:00Z'],
])('compares until the same time of day: %s (%s)', (_, timeZone, at, expected) => {
  const [day, before] = daysUntil(new Date(at), timeZone, 2)
  const until = sameTimeOfDay(new Date(at), day!, before!, timeZone)
  expect(until).toEqual(new Date(expected))
})
