import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { mintWebhookSecret } from '../../src/core/secrets.ts'
import {
  type AttemptOutcome,
  nextStep,
  parseRetryAfter,
  RETRY_DELAYS_MS,
  signatureHeaders,
} from '../../src/core/webhook.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const respondedWith = (statusCode: number, retryAfterMs: number | null = null): AttemptOutcome => ({
  statusCode,
  retryAfterMs,
  error: null,
  responseBody: '',
  durationMs: 1,
})
const noResponse: AttemptOutcome = { ...respondedWith(0), statusCode: null, error: 'closed' }
const withoutJitter = () => 0.5

describe('the retry schedule', () => {
  const delaysMs = [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ]

  it.each(delaysMs.map((delayMs, index) => [index + 1, delayMs] as const))(
    'after attempt %i the delay is %i ms, ±10%%',
    (attempts, delayMs) => {
      expect(RETRY_DELAYS_MS[attempts - 1]).toBe(delayMs)
      const waitFor = (random: number) => {
        const step = nextStep(respondedWith(500), attempts, () => random)
        return step.kind === 'retry' ? step.waitMs : step.kind
      }
      expect(waitFor(0)).toBe(Math.round(delayMs * 0.9))
      expect(waitFor(0.5)).toBe(delayMs)
      expect(waitFor(1)).toBe(Math.round(delayMs * 1.1))
    },
  )

  it('the jitter varies, and stays within its bounds', () => {
    const steps = Array.from({ length: 1_000 }, () => nextStep(respondedWith(500), 3))
    const waitsMs = steps.map((step) => (step.kind === 'retry' ? step.waitMs : 0))
    expect(new Set(waitsMs).size).toBeGreaterThan(500)
    expect(Math.min(...waitsMs)).toBeGreaterThanOrEqual(27 * MINUTE_MS)
    expect(Math.max(...waitsMs)).toBeLessThanOrEqual(33 * MINUTE_MS)
  })

  it('ends after ten attempts', () => {
    expect(RETRY_DELAYS_MS).toHaveLength(9)
    expect(nextStep(respondedWith(500), 9, withoutJitter).kind).toBe('retry')
    for (const outcome of [respondedWith(500), respondedWith(429, HOUR_MS), noResponse]) {
      expect(nextStep(outcome, 10, withoutJitter)).toEqual({ kind: 'exhausted' })
      expect(nextStep(outcome, 11, withoutJitter)).toEqual({ kind: 'exhausted' })
    }
  })

  it.each([200, 201, 202, 204, 226, 299])('%i is a success, even at the last attempt', (status) => {
    expect(nextStep(respondedWith(status), 1)).toEqual({ kind: 'delivered' })
    expect(nextStep(respondedWith(status, DAY_MS), 10)).toEqual({ kind: 'delivered' })
  })

  it.each([300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 409, 429, 500, 503, 599])(
    '%i is not a success',
    (status) => {
      expect(nextStep(respondedWith(status), 1, withoutJitter)).toEqual({
        kind: 'retry',
        waitMs: 5_000,
      })
    },
  )

  it('a missing response is retried like an error response', () => {
    expect(nextStep(noResponse, 2, withoutJitter)).toEqual({ kind: 'retry', waitMs: 5 * MINUTE_MS })
  })

  it.each([1, 5, 10])('410 ends the retries at attempt %i, even with Retry-After', (attempts) => {
    expect(nextStep(respondedWith(410, HOUR_MS), attempts)).toEqual({ kind: 'exhausted' })
  })

  it.each<[string, number, number | null, number]>([
    ['none', 1, null, 5 * SECOND_MS],
    ['longer than the schedule', 1, MINUTE_MS, MINUTE_MS],
    ['shorter than the schedule', 2, MINUTE_MS, 5 * MINUTE_MS],
    ['zero', 2, 0, 5 * MINUTE_MS],
    ['the same as the schedule', 2, 5 * MINUTE_MS, 5 * MINUTE_MS],
    ['a day', 1, DAY_MS, DAY_MS],
    ['more than a day', 1, DAY_MS + SECOND_MS, DAY_MS],
    ['a year', 3, 365 * DAY_MS, DAY_MS],
    ['a minute, late in the schedule', 9, MINUTE_MS, DAY_MS],
  ])(
    'Retry-After %s: the longer delay applies, at most a day',
    (_what, attempts, requestedMs, waitMs) => {
      for (const status of [429, 503, 500, 302]) {
        expect(nextStep(respondedWith(status, requestedMs), attempts, withoutJitter)).toEqual({
          kind: 'retry',
          waitMs,
        })
      }
    },
  )
})

describe('parseRetryAfter', () => {
  const now = new Date('2026-03-04T05:06:07.000Z')
  it.each<[string | undefined, number | null]>([
    ['0', 0],
    ['1', SECOND_MS],
    ['120', 2 * MINUTE_MS],
    [' 120 ', 2 * MINUTE_MS],
    ['86400', DAY_MS],
    ['999999999', 999_999_999_000],
    ['Wed, 04 Mar 2026 05:07:07 GMT', MINUTE_MS],
    ['Thu, 05 Mar 2026 05:06:07 GMT', DAY_MS],
    ['Wed, 04 Mar 2026 05:06:07 GMT', 0],
    ['Tue, 03 Mar 2026 05:06:07 GMT', 0],
    [undefined, null],
    ['', null],
    [' ', null],
    ['-1', null],
    ['+5', null],
    ['1.5', null],
    ['1e3', null],
    ['0x10', null],
    ['12 seconds', null],
    ['1, 2', null],
    ['soon', null],
    ['NaN', null],
    ['Infinity', null],
    ['9'.repeat(400), null],
    ['2026', 2_026_000],
    ['2026-03-05', null],
    ['2026-03-05T05:06:07Z', null],
    ['Wed, 99 Mar 2026 05:07:07 GMT', null],
    ['Wed, ', null],
    ['\u0661\u0662', null],
    [`${' '.repeat(100)}5`, null],
  ])('reads %j as %j ms', (header, delayMs) => expect(parseRetryAfter(header, now)).toBe(delayMs))
})

describe('signatures, verified by standardwebhooks', () => {
  const id = 'evt_06gxt709g80000ba9e0bf4rx72_1'
  const body = '{"type":"payment.completed","data":{"name":"Zoë €😀","n":1.50}}'
  const [secret, other] = [mintWebhookSecret(), mintWebhookSecret()]
  const headersAt = (at: Date, secrets = [secret]) =>
    signatureHeaders({ id, body: Buffer.from(body), at }, secrets)
  const currentHeaders = () => headersAt(new Date())
  const headersOfAge = (ms: number) => headersAt(new Date(Date.now() - ms))
  const verify = (text: string, headers: Record<string, string>, key = secret) =>
    new Webhook(key).verify(text, headers)

  it('a valid signature passes, and the package signs the same', () => {
    const at = new Date()
    const headers = headersAt(at)
    expect(verify(body, headers)).toEqual(JSON.parse(body))
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    })
  })

  it.each<[string, () => unknown]>([
    ['a changed body', () => verify(body.replace('1.50', '9.50'), currentHeaders())],
    ['a body with one more space', () => verify(`${body} `, currentHeaders())],
    [
      'a body that was parsed and serialized again',
      () => verify(JSON.stringify(JSON.parse(body)), currentHeaders()),
    ],
    ['another secret', () => verify(body, currentHeaders(), other)],
    ['another id', () => verify(body, { ...currentHeaders(), 'webhook-id': `${id}2` })],
    [
      'another time',
      () => verify(body, { ...currentHeaders(), 'webhook-timestamp': timestampIn(-1) }),
    ],
    ['an old time', () => verify(body, headersOfAge(6 * MINUTE_MS))],
    ['a future time', () => verify(body, headersOfAge(-6 * MINUTE_MS))],
    ['no signature', () => verify(body, { ...currentHeaders(), 'webhook-signature': '' })],
  ])('%s fails', (_what, act) => expect(act).toThrow())
  const timestampIn = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)

  it('an attempt within five minutes passes', () => {
    expect(verify(body, headersOfAge(4 * MINUTE_MS))).toEqual(JSON.parse(body))
  })

  it('while a secret is being replaced, either one verifies and a third one fails', () => {
    const headers = headersAt(new Date(), [secret, other])
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
    expect(verify(body, headers, secret)).toEqual(JSON.parse(body))
    expect(verify(body, headers, other)).toEqual(JSON.parse(body))
    expect(() => verify(body, headers, mintWebhookSecret())).toThrow()
  })

  it('secrets are long enough for the standard, and unique', () => {
    const secrets = Array.from({ length: 100 }, mintWebhookSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
      expect(Buffer.from(secret.slice(6), 'base64').length).toBeGreaterThanOrEqual(24)
    }
  })
})
