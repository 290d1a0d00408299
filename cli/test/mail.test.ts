import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../server/test/setup/mailServer.ts'
import { createTestDatabase, type TestDatabase } from '../../server/test/setup/testDatabase.ts'
import { run, runHere, runSql } from './run.ts'

let test: TestDatabase
let folder: string
let server: MailServer
beforeAll(async () => {
  test = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'florin-cli-'))
  server = await startMailServer({
    authOptional: false,
    onAuth({ username, password }, _, done) {
      const isRight = username === 'shop' && password === 'right'
      if (isRight) done(null, { user: username })
      else done(new Error('Wrong password'))
    },
  })
})
afterAll(async () => {
  await server.close()
  await test.drop()
  await rm(folder, { recursive: true, force: true })
})

const settingsFor = (smtpUrl: string | null) => {
  const mail = { FLORIN_SMTP_URL: smtpUrl ?? '', FLORIN_MAIL_FROM: 'pay@example.com' }
  const env = { DATABASE_URL: test.url, FLORIN_DATA: folder, PORT: '0' }
  return { ...env, ...(smtpUrl !== null && mail) }
}
const florin = (smtpUrl: string | null, ...args: string[]) => runHere(settingsFor(smtpUrl), ...args)
const withPassword = (password: string) => server.url.replace('smtp://', `smtp://shop:${password}@`)

async function mailFinding(smtpUrl: string | null) {
  const { stdout } = await run(settingsFor(smtpUrl), 'doctor', '--json')
  const { findings } = JSON.parse(stdout) as { findings: { check: string }[] }
  return findings.find(({ check }) => check === 'mail')
}

it('doctor signs in to the mail server, and never shows the password', async () => {
  const urls = [null, withPassword('right'), withPassword('wrong-secret'), 'smtp://127.0.0.1:1']
  const [off, on, refused, unreachable] = await Promise.all(urls.map(mailFinding))
  expect(off).toEqual({
    check: 'mail',
    state: 'note',
    message: 'not set up: no receipts, invitations or password resets by email',
    fix: 'To set up mail, see docs/mail.md.',
  })
  expect(on).toEqual({
    check: 'mail',
    state: 'ok',
    message: `${server.url} can be used; send a test email: npx florin mail test ADDRESS`,
  })
  const fix = 'Check the host, the port, the user and the password in FLORIN_SMTP_URL.'
  expect(refused).toEqual({
    check: 'mail',
    state: 'problem',
    message: expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:\d+ cannot be used: .*535/),
    fix,
  })
  expect(JSON.stringify(refused)).not.toContain('wrong-secret')
  expect(unreachable).toEqual({
    check: 'mail',
    state: 'problem',
    message: expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/),
    fix,
  })
  expect(server.received).toEqual([])
})

it('doctor says what to do when TLS fails', { timeout: 60_000 }, async () => {
  // Its certificate is self-signed.
  const tls = await startMailServer({ secure: true })
  try {
    const findings = await Promise.all([
      mailFinding(tls.url.replace('smtp:', 'smtps:')),
      mailFinding(tls.url),
      mailFinding(server.url.replace('smtp:', 'smtps:')),
      mailFinding(server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')),
    ])
    expect(findings).toMatchObject([
      { message: expect.stringContaining('certificate'), fix: expect.stringContaining('CA_CERTS') },
      { message: expect.stringContaining('reeting'), fix: expect.stringContaining('use smtps://') },
      { fix: expect.stringContaining('use smtp:// instead') },
      { message: expect.stringContaining('STARTTLS'), fix: expect.stringMatching(/^Use smtps:/) },
    ])
  } finally {
    await tls.close()
  }
})

it('mail queues a test email, lists it and resends a failed one', async () => {
  const smtpUrl = withPassword('right')
  const json = async (...args: string[]) =>
    JSON.parse((await florin(smtpUrl, ...args, '--json')).stdout)
  const queued = await json('mail', 'test', 'ada@example.com', '--locale', 'fr')
  expect(queued).toMatchObject({ to: 'ada@example.com', template: 'test', state: 'queued' })
  const { stdout } = await florin(smtpUrl, 'mail', 'list', '--state', 'queued')
  expect(stdout).toContain(queued.mail_id)
  const refused = await florin(smtpUrl, 'mail', 'resend', queued.mail_id)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('failed') })

  await runSql(test.url, `update mail set failed_at = now(), last_error = '550 No such user'`)
  const failed = await json('mail', 'list', '--state', 'failed')
  expect(failed.mails).toMatchObject([
    { mail_id: queued.mail_id, state: 'failed', last_error: '550 No such user' },
  ])
  expect(await json('mail', 'resend', queued.mail_id)).toMatchObject({ state: 'queued' })
  const unknown = await florin(smtpUrl, 'mail', 'resend', 'mail_unknown')
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('not found') })
  const withoutMail = await florin(null, 'mail', 'test', 'ada@example.com')
  expect(withoutMail).toMatchObject({ code: 1, stderr: expect.stringContaining('not set up') })
})
