import { deviceName, deviceOf } from '@florin/shared/device.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLimits, recordSecurityEvent } from '../../src/ops/securityEvents.ts'
import { sweepOldRows } from '../../src/ops/sweepOldRows.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const at = (time: string) => new Date(`2026-11-16T${time}Z`)
const countStored = async () => {
  const [row] = await t.database.query<{ count: number }>(
    'select count(*)::int as count from security_event',
  )
  return row!.count
}

describe('the limits of events that unauthenticated clients cause', () => {
  type LimitedEvent = Parameters<ReturnType<typeof createLimits>['take']>[0]
  const failed: LimitedEvent = {
    kind: 'sign_in_failed',
    accountId: null,
    name: 'x',
    address: '192.0.2.1',
  }
  const countAllowed = (
    limits: ReturnType<typeof createLimits>,
    events: number,
    eventOf = (n: number): LimitedEvent => ({ ...failed, address: `192.0.2.${n}` }),
  ) =>
    Array.from({ length: events }, (_, n) => limits.take(eventOf(n), at('08:00:30'))).filter(
      Boolean,
    ).length

  it('allow five per kind, account, address and minute', () => {
    const limits = createLimits()
    expect(countAllowed(limits, 100, () => failed)).toBe(5)
    expect(limits.take({ ...failed, address: '192.0.2.2' }, at('08:00:59.999'))).toBe(true)
    expect(limits.take({ ...failed, kind: 'account_locked' }, at('08:00:59.999'))).toBe(true)
    expect(limits.take(failed, at('08:01:00'))).toBe(true)
  })

  it('allow sixty per minute, separately for known and unknown accounts', () => {
    const limits = createLimits()
    expect(countAllowed(limits, 200)).toBe(60)
    const known = (n: number) => ({ ...failed, accountId: `prs_${n}` })
    expect(countAllowed(limits, 200, known)).toBe(60)
  })

  it('apply to what is stored, and the metrics count all', async () => {
    const readMetric = async () => {
      const { text } = await t.call('GET', '/metrics', t.operator)
      return Number(/florin_security_events_total\{kind="sign_in_failed"\} (\d+)/.exec(text)![1])
    }
    const before = await readMetric()
    const actor = { name: 'x', requestId: null, source: { address: '192.0.2.7', device: '' } }
    const event = { kind: 'sign_in_failed', accountId: null } as const
    await t.database.transaction(async (tx) => {
      for (let n = 0; n < 20; n++) await recordSecurityEvent(tx, actor, event, at('08:00:00'))
    })
    expect(await countStored()).toBe(5)
    expect(await readMetric()).toBe(before + 20)
  })

  it('do not apply to other events', async () => {
    const before = await countStored()
    const actor = { name: 'x', requestId: null }
    const event = { kind: 'sign_in', accountId: 'prs_1' } as const
    await t.database.transaction(async (tx) => {
      for (let n = 0; n < 100; n++) await recordSecurityEvent(tx, actor, event, at('08:00:00'))
    })
    expect(await countStored()).toBe(before + 100)
  })
})

it('events are deleted after 400 days', async () => {
  await t.database.transaction(async (tx) => {
    await tx.execute('delete from security_event')
    await tx.execute(
      `insert into security_event (at, kind, actor, address, device)
       select now() - n * interval '1 day', 'sign_in', 'x', '', ''
       from unnest($1::int[]) n`,
      [[500, 401, 399, 1]],
    )
  })
  await sweepOldRows(t.database, { idempotencyTtlMs: 1000, keepMailsMs: 1000 })
  expect(await countStored()).toBe(2)
})

describe('the device', () => {
  const ON_WINDOWS =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
  const ON_IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  it.each([
    [`${ON_WINDOWS} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`${ON_WINDOWS} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge on Windows'],
    [`${ON_WINDOWS} Chrome/141.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows'],
    [`${ON_IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
    [`${ON_IPHONE} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
    ['Mozilla/5.0 (Android 16; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0', 'Firefox on Android'],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      'Chrome on ChromeOS',
    ],
    ['curl/8.14.1', 'curl'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macOS'],
    ['', ''],
    ['<script>', ''],
  ])('%s is %s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name)
  })

  it('is read from a bounded part of the header', () => {
    expect(deviceOf(`${'x'.repeat(1_000_000)} Chrome/1`)).toEqual({ browser: null, system: null })
  })
})
