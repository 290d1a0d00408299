import { describe, expect, it } from 'vitest'
import { warningShareOf } from '../src/dashboard/overview/warningShare.ts'
import { listQuery } from '../src/dashboard/payments/filters.ts'
import { parseRoute, routeHref } from '../src/kit/router.ts'

describe('route', () => {
  it.each([
    [['live', 'payments', 'pay_1'], ''],
    [['sandbox', 'payments'], 'search=a+%26+b%2F%C3%BC%3F%23&status=failed'],
    [['live', 'a/b %'], 'x=1'],
  ])('keeps %j with %j', (path, query) => {
    const route = parseRoute(routeHref(path, new URLSearchParams(query)))
    expect(route.path).toEqual(path)
    expect(route.query.toString()).toBe(query)
  })

  it('accepts an empty, a short and a malformed hash', () => {
    expect(parseRoute('').path).toEqual([])
    expect(parseRoute('#payments').path).toEqual(['payments'])
    expect(parseRoute('#/live//%zz').path).toEqual(['live', '%zz'])
  })
})

describe('filters', () => {
  const apiQuery = (query: string, zone: string) =>
    Object.fromEntries(listQuery(new URLSearchParams(query), zone))

  it("cover whole days of the store's time zone, even across a clock change", () => {
    expect(apiQuery('from=2026-03-29&to=2026-03-29', 'Europe/Berlin')).toEqual({
      created_from: '2026-03-28 23:00:00',
      created_to: '2026-03-29 22:00:00',
    })
    expect(apiQuery('from=2026-01-01', 'Pacific/Kiritimati')).toEqual({
      created_from: '2025-12-31 10:00:00',
    })
  })

  it('pass on invalid days for the server to refuse, and leave out empty values', () => {
    expect(
      apiQuery('from=x&min=&max=5&payer=ada&reference=r&status=failed&search=s', 'UTC'),
    ).toEqual({
      created_from: 'x',
      amount_to: '5',
      payer: 'ada',
      reference_id: 'r',
      status: 'failed',
      search: 's',
    })
  })
})

it('warns from 80% of a limit', () => {
  const shareOf = (used: string, limit: string | null) =>
    warningShareOf({ used, limit, left: null })
  expect(shareOf('79.99', '100.00')).toBeNull()
  expect(shareOf('80.00', '100.00')).toBe(0.8)
  expect(shareOf('5.00', null)).toBeNull()
  expect(shareOf('0.00', '0.00')).toBe(1)
})
