import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { CommitUnknown, DatabaseUnavailable } from '../../src/database/errors.ts'
import { logOutagesOnce } from '../../src/outageLog.ts'

const unavailable = () => new DatabaseUnavailable(new Error('connect ECONNREFUSED'))

function createRecordedLog(quietMs: number) {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { lines, log: pino({ base: null, hooks: logOutagesOnce(quietMs) }, sink) }
}

it('logs an outage once, without a stack, and its end with the number of failures', async () => {
  const { lines, log } = createRecordedLog(50)
  for (let times = 0; times < 1_000; times++) {
    log.error({ err: unavailable(), requestId: `req-${times}` }, 'database unavailable')
  }
  log.warn({ err: new CommitUnknown(new Error('cut')), loop: 'expiry' }, 'a loop failed')
  expect(lines).toEqual([
    {
      level: 50,
      time: expect.anything(),
      requestId: 'req-0',
      reason: 'The database is unavailable: connect ECONNREFUSED',
      msg: 'database unavailable',
    },
  ])
  await expect.poll(() => lines.length).toBe(2)
  expect(lines[1]).toMatchObject({ msg: 'the database is available again', failures: 1_001 })

  log.error({ err: unavailable() }, 'database unavailable')
  expect(lines[2]).toMatchObject({ msg: 'database unavailable' })
})

it('logs everything else in full, even during an outage', () => {
  const { lines, log } = createRecordedLog(10_000)
  log.error({ err: unavailable() }, 'database unavailable')
  log.error({ err: new Error('a bug'), requestId: 'x' }, 'internal error')
  log.info('started')
  expect(lines.map((line) => line.msg)).toEqual([
    'database unavailable',
    'internal error',
    'started',
  ])
  expect(lines[1]).toMatchObject({ err: { message: 'a bug', stack: expect.any(String) } })
})
