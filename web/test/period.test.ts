import { describe, expect, it } from 'vitest'
import { isDay } from '../src/kit/time.ts'
import { PRESETS, timesOf } from '../src/wallet/period.ts'

describe('days', () => {
  it.each(['2026-11-01', '2028-02-29', '0002-01-01'])('%s is a day', (text) => {
    expect(isDay(text)).toBe(true)
  })

  it.each(['', 'days', '2026-11', '2026-1-1', '2026-13-45', '2026-02-30', '2026-00-10'])(
    '"%s" is not a day',
    (text) => {
      expect(isDay(text)).toBe(false)
    },
  )
})

describe('the period of a statement', () => {
  it('is from the start of the first day to the end of the last', () => {
    expect(timesOf({ first: '2026-11-01', last: '2026-11-30' })).toEqual({
      from: new Date(2026, 10, 1),
      to: new Date(2026, 11, 1),
    })
  })

  it.each([
    ['2026-11-02', '2026-11-01'],
    ['', '2026-11-01'],
    ['2026-11-01', ''],
    ['2026-02-30', '2026-03-01'],
    ['2026-11-01', '2026-13-01'],
  ])('is wrong from "%s" to "%s"', (first, last) => {
    expect(timesOf({ first, last })).toBe('periodWrong')
  })

  it('has at most 366 days', () => {
    expect(timesOf({ first: '2027-01-01', last: '2028-01-01' })).toHaveProperty('to')
    expect(timesOf({ first: '2027-01-01', last: '2028-01-02' })).toBe('periodTooLong')
  })

  it('can be a month or the year until today', () => {
    const now = new Date(2026, 0, 15)
    expect(PRESETS.thisMonth(now)).toEqual({ first: '2026-01-01', last: '2026-01-31' })
    expect(PRESETS.lastMonth(now)).toEqual({ first: '2025-12-01', last: '2025-12-31' })
    expect(PRESETS.thisYear(now)).toEqual({ first: '2026-01-01', last: '2026-01-15' })
  })
})
