import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimDueMails } from '../../src/ops/mail.ts'
import { WITH_MAIL } from '../setup/mails.ts'
import { startTestService, type TestService } from '../setup/testService.ts'
import { CONTENTS } from './contents.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

it.each([
  ['is held if the claim ends within two leases', '100 seconds', false],
  ['is sent if the claim ends later than that', '1 hour', true],
])(
  'after the clock was set back, an email that a crashed process has claimed %s',
  async (_, length, isSent) => {
    const mail = { to: 'reader@example.com', locale: 'en', content: CONTENTS.test } as const
    const [written] = await t.database.transaction((tx) =>
      t.service.mail.add(tx, [mail], new Date()),
    )
    const id = written!.mailId
    await t.database.transaction((tx) =>
      tx.execute('update mail set claimed_until = now() + $2::interval where mail_id = $1', [
        id,
        length,
      ]),
    )
    expect((await claimDueMails(t.database, 10)).map(({ mailId }) => mailId)).toEqual(
      isSent ? [id] : [],
    )
    await t.database.transaction((tx) => tx.execute('delete from mail where mail_id = $1', [id]))
  },
)
