import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { NewMail } from '../../src/core/mail.ts'
import { createMailSender } from '../../src/mail/sender.ts'
import { MAX_CONNECTIONS } from '../../src/mail/smtp.ts'
import { type MailServer, mailSettings, startMailServer } from '../setup/mailServer.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

/** What the server does instead of accepting everything. */
let behaviour: Pick<SMTPServerOptions, 'onRcptTo' | 'onMailFrom'> = {}
let server: MailServer
let t: TestService
const logged: string[] = []
let sender: ReturnType<typeof newSender>

beforeAll(async () => {
  server = await startMailServer({
    onRcptTo: (...args) => (behaviour.onRcptTo ? behaviour.onRcptTo(...args) : args[2]()),
    onMailFrom: (...args) => (behaviour.onMailFrom ? behaviour.onMailFrom(...args) : args[2]()),
  })
  t = await startTestService(mailSettings(server))
  sender = newSender()
  sender.start()
})
afterAll(async () => {
  await sender.stop()
  await t.close()
  await server.close()
})
afterEach(async () => {
  behaviour = {}
  server.received.length = 0
  logged.length = 0
  await t.database.transaction((tx) => tx.execute('delete from mail'))
})

function newSender(url = server.url) {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(String(chunk))
      done()
    },
  })
  return createMailSender({
    database: t.database,
    log: pino({ base: null }, stream),
    secretKey: t.service.secretKey,
    service: 'pay.example.com',
    smtp: { smtpUrl: url, from: 'pay@florin.example' },
    onResult: (outcome) => t.service.metrics.mails.inc({ outcome }),
  })
}

let readerCount = 0
const testMail = (): NewMail => ({
  to: `reader${++readerCount}@example.com`,
  locale: 'en',
  content: { template: 'test' },
})

/** Writes emails in a transaction, as the service does. Returns their ids. */
async function write(...mails: NewMail[]): Promise<string[]> {
  const rows = await t.database.transaction((tx) => t.service.mail.add(tx, mails, new Date()))
  sender.wake()
  return rows.map(({ mailId }) => mailId)
}

type Row = {
  attempts: number
  sent: boolean
  failed: boolean
  stored: boolean
  claimed: boolean
  last_error: string | null
  wait_s: number
}
async function read(mailId: string): Promise<Row> {
  const rows = await t.database.query<Row>(
    `select attempts, sent_at is not null as sent, failed_at is not null as failed,
       content is not null as stored, claimed_until is not null as claimed, last_error,
       extract(epoch from due_at - now())::int as wait_s
     from mail where mail_id = $1`,
    [mailId],
  )
  return rows[0]!
}
async function untilRow(mailId: string, isReached: (row: Row) => boolean): Promise<Row> {
  for (const deadlineMs = Date.now() + 30_000; ; ) {
    const row = await read(mailId)
    if (isReached(row)) return row
    if (Date.now() > deadlineMs) throw new Error(`The email stays ${JSON.stringify(row)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
async function makeDue(mailId: string): Promise<void> {
  await t.database.transaction((tx) =>
    tx.execute('update mail set due_at = now() where mail_id = $1', [mailId]),
  )
  sender.wake()
}
const smtpError = (message: string, responseCode: number) =>
  Object.assign(new Error(message), { responseCode })

it('the metrics count from zero, so that the first email is an increase', async () => {
  expect(await t.service.metrics.text()).toContain('florin_mails_total{outcome="sent"} 0\n')
})

describe('an email', () => {
  it('is sent after the commit, once, with a fixed Message-ID, and its content is deleted', async () => {
    const mail = testMail()
    const [id = ''] = await write(mail)
    const row = await untilRow(id, ({ sent }) => sent)
    expect(row).toEqual({
      attempts: 0,
      sent: true,
      failed: false,
      stored: false,
      claimed: false,
      last_error: null,
      wait_s: expect.any(Number),
    })
    expect(server.received.map(({ to, parsed }) => [to, parsed.messageId])).toEqual([
      [[mail.to], `<${id}@florin.example>`],
    ])
    expect(server.received[0]!.parsed).toMatchObject({
      from: { address: 'pay@florin.example', name: '' },
      to: [{ address: mail.to, name: '' }],
      subject: 'Test email',
      text: expect.stringContaining('Mail is set up correctly.'),
      html: expect.stringContaining('Mail is set up correctly.'),
    })
  })

  it('is not sent before the commit, and not after a rollback', async () => {
    const mail = testMail()
    let commit = () => {}
    const open = t.database.transaction(async (tx) => {
      await t.service.mail.add(tx, [mail], new Date())
      await new Promise<void>((resolve) => {
        commit = resolve
      })
    })
    const rolledBack = t.database.transaction(async (tx) => {
      await t.service.mail.add(tx, [testMail()], new Date())
      throw new Error('roll back')
    })
    await expect(rolledBack).rejects.toThrow('roll back')
    await write(testMail())
    await server.untilReceived(1)
    expect(server.received).toHaveLength(1)
    commit()
    await open
    sender.wake()
    await server.untilReceived(2)
    expect(server.received.map(({ to }) => to).at(-1)).toEqual([mail.to])
  })

  it('wakes the sender of its own process after the commit', async () => {
    // A poll of the other sender must not send the email.
    await sender.stop()
    const ownSender = t.service.mailSender!
    const wake = vi.spyOn(ownSender, 'wake')
    ownSender.start()
    await t.database.transaction(async (tx) => {
      await t.service.mail.add(tx, [testMail()], new Date())
      expect(wake).not.toHaveBeenCalled()
    })
    expect(wake).toHaveBeenCalledOnce()
    await server.untilReceived(1)
    await ownSender.stop()
    sender = newSender()
    sender.start()
  })
})

describe('a mail server that', () => {
  it('is unreachable gets the email later', async () => {
    const unreachable = await startMailServer()
    await unreachable.close()
    await sender.stop()
    const other = newSender(unreachable.url)
    other.start()
    const [id = ''] = await write(testMail())
    other.wake()
    const row = await untilRow(id, ({ attempts }) => attempts === 1)
    await other.stop()
    expect(row).toMatchObject({ sent: false, failed: false, stored: true, claimed: false })
    expect(row.last_error).toContain('ECONNREFUSED')
    expect(row.wait_s).toBeGreaterThan(50)
    expect(row.wait_s).toBeLessThanOrEqual(60)
    sender = newSender()
    sender.start()
    await makeDue(id)
    await untilRow(id, ({ sent }) => sent)
  })

  it('refuses temporarily is retried with growing delays, until the email fails', async () => {
    behaviour = { onRcptTo: (_address, _session, done) => done(smtpError('Greylisted', 451)) }
    const [id = ''] = await write(testMail())
    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt++) {
      const row = await untilRow(id, ({ attempts }) => attempts === attempt)
      waits.push(row.wait_s)
      expect(row.last_error).toContain('451')
      await makeDue(id)
    }
    // No attempt follows the eighth.
    const minutes = waits.slice(0, 7).map((seconds) => Math.round(seconds / 60))
    expect(minutes).toEqual([1, 5, 30, 120, 360, 720, 1440])
    const failed = { attempts: 8, sent: false, failed: true, stored: true, claimed: false }
    expect(await read(id)).toMatchObject(failed)
    expect(server.received).toEqual([])
  })

  it('refuses the recipient permanently is not retried until the operator resends', async () => {
    behaviour = { onRcptTo: (_address, _session, done) => done(smtpError('No such user', 550)) }
    const mail = testMail()
    const [id = ''] = await write(mail)
    const row = await untilRow(id, ({ failed }) => failed)
    expect(row).toMatchObject({ attempts: 1, sent: false, stored: true })
    expect(row.last_error).toContain('550')

    behaviour = {}
    const resent = await t.call('POST', `/operator/mails/${id}/resend`, t.operator, {})
    expect([resent.status, resent.body.message]).toEqual([200, 'Email queued'])
    sender.wake()
    expect(await untilRow(id, ({ sent }) => sent)).toMatchObject({ failed: false, stored: false })
    expect(server.received.map(({ to }) => to)).toEqual([[mail.to]])
    const again = await t.call('POST', `/operator/mails/${id}/resend`, t.operator, {})
    expect(again.body).toEqual({ status: 409, message: 'Only failed emails can be resent' })
  })

  it('refuses the sender is retried, because the configuration is wrong', async () => {
    behaviour = { onMailFrom: (_address, _session, done) => done(smtpError('Not yours', 550)) }
    const [id = ''] = await write(testMail())
    const row = await untilRow(id, ({ attempts }) => attempts === 1)
    expect(row).toMatchObject({ failed: false, sent: false })
  })

  it('drops the connection in the middle of a message gets it again', async () => {
    const dropping = await startMailServer({ onData: () => dropping.dropConnections() })
    const other = newSender(dropping.url)
    await sender.stop()
    other.start()
    const [id = ''] = await write(testMail())
    other.wake()
    const row = await untilRow(id, ({ attempts }) => attempts === 1)
    expect(row).toMatchObject({ sent: false, failed: false, stored: true })
    await other.stop()
    await dropping.close()
    sender = newSender()
    sender.start()
    await makeDue(id)
    await untilRow(id, ({ sent }) => sent)
    expect(server.received[0]!.parsed.messageId).toBe(`<${id}@florin.example>`)
  })

  it('is slow does not delay emails of other connections', async () => {
    let accept = () => {}
    const accepted = new Promise<void>((resolve) => {
      accept = resolve
    })
    behaviour = {
      onRcptTo: ({ address }, _session, done) => {
        if (address === 'slow@example.com') void accepted.then(() => done())
        else done()
      },
    }
    const [slow = ''] = await write({ ...testMail(), to: 'slow@example.com' })
    await write(...Array.from({ length: 20 }, testMail))
    await server.untilReceived(20)
    expect((await read(slow)).sent).toBe(false)
    accept()
    await untilRow(slow, ({ sent }) => sent)
  })
})

it('several nodes send each email once', async () => {
  const others = [newSender(), newSender(), newSender()]
  for (const other of others) other.start()
  await write(...Array.from({ length: 60 }, testMail))
  for (const other of others) other.wake()
  await server.untilReceived(60)
  const rows = await t.database.query('select 1 from mail where sent_at is null')
  for (const other of others) await other.stop()
  // The last email of each connection may have arrived before it was marked as sent.
  expect(rows.length).toBeLessThanOrEqual(4 * MAX_CONNECTIONS)
  const addresses = server.received.map(({ to }) => to[0])
  expect(new Set(addresses).size).toBe(60)
  expect(addresses).toHaveLength(60)
})

it('the log has neither addresses nor content', async () => {
  behaviour = {
    onRcptTo: ({ address }, _session, done) => done(smtpError(`No ${address} here`, 550)),
  }
  const content = {
    template: 'password_reset',
    name: 'Ada',
    url: 'https://x/#reset/secret',
  } as const
  const [id = ''] = await write({ to: 'private@example.com', locale: 'en', content })
  await untilRow(id, ({ failed }) => failed)
  const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toEqual([
    {
      level: 40,
      time: expect.any(Number),
      mailId: id,
      attempt: 1,
      result: 'failed',
      msg: 'an email could not be sent',
    },
  ])
})

it('the metrics count outcomes and show the queue', async () => {
  const codes: Record<string, number> = { 'busy@example.com': 451, 'unknown@example.com': 550 }
  behaviour = {
    onRcptTo: ({ address }, _session, done) => {
      const code = codes[address]
      done(code === undefined ? null : smtpError('Refused', code))
    },
  }
  const readMetric = async (name: string) => {
    const line = (await t.service.metrics.text())
      .split('\n')
      .find((printed) => printed.startsWith(`${name} `))
    return Number(line?.split(' ')[1] ?? 0)
  }
  const readOutcomes = async () => [
    await readMetric('florin_mails_total{outcome="sent"}'),
    await readMetric('florin_mails_total{outcome="retried"}'),
    await readMetric('florin_mails_total{outcome="failed"}'),
  ]
  const [sent = 0, retried = 0, failed = 0] = await readOutcomes()
  const addresses = ['reader@example.com', 'other@example.com', ...Object.keys(codes)]
  await write(...addresses.map((to) => ({ ...testMail(), to })))
  await expect.poll(readOutcomes).toEqual([sent + 2, retried + 1, failed + 1])
  await t.database.transaction((tx) =>
    tx.execute(`update mail set created_at = created_at - interval '1 hour'`),
  )
  expect(await readMetric('florin_mail_queue{state="queued"}')).toBe(1)
  expect(await readMetric('florin_mail_queue{state="failed"}')).toBe(1)
  expect(await readMetric('florin_mail_oldest_queued_seconds')).toBeGreaterThan(3_590)
})
