import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { type MailServer, mailSettings, startMailServer } from '../setup/mailServer.ts'
import { type KillableService, prepareKillableService } from './killable.ts'
import { send } from './participants.ts'
import { randomOf, seedOfRun } from './random.ts'

const KILLS = 20
const MAILS_PER_KILL = 25
/** An email whose sender was killed is due again when its lease expires, after a minute. */
const DELIVERY_TIMEOUT_MS = 120_000

let server: MailServer
let service: KillableService
const random = randomOf(seedOfRun()).part('mail')
beforeAll(async () => {
  server = await startMailServer({
    // Slow enough that kills interrupt some emails.
    onMailFrom: (_address, _session, done) => void setTimeout(done, random.between(20, 200)),
  })
  service = await prepareKillableService({ env: mailSettings(server) })
})
afterAll(async () => {
  await service.remove()
  await server.close()
})

it(`every email arrives although the service is killed ${KILLS} times, often while sending`, async () => {
  await service.start()
  const { operator } = await service.demo()
  const headers = { authorization: `Bearer ${operator.token}` }
  const written: string[] = []
  let killsWhileSending = 0
  const write = async (n: number) => {
    const body = { to: `reader${n}@example.com` }
    const reply = await send(service.origin, { path: '/operator/mails/test', headers, body })
    if (reply?.status === 200) written.push(reply.body.data.mail_id)
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const first = kill * MAILS_PER_KILL
    await Promise.all(Array.from({ length: MAILS_PER_KILL }, (_, n) => write(first + n)))
    await sleep(random.between(0, 300))
    if (written.length > server.received.length) killsWhileSending += 1
    await service.end('SIGKILL')
    await service.start()
  }

  const embedded = await service.openDatabase()
  const database = openDatabase({ url: embedded.url, poolSize: 2, poolTimeoutMs: 5_000 })
  try {
    const countUnsent = async () =>
      (await database.query('select 1 from mail where sent_at is null')).length
    const deadlineMs = Date.now() + DELIVERY_TIMEOUT_MS
    while ((await countUnsent()) > 0 && Date.now() < deadlineMs) await sleep(200)
    expect(await countUnsent()).toBe(0)
    const arrived = new Set(server.received.map(({ parsed }) => parsed.messageId))
    const missing = written.filter((id) => !arrived.has(`<${id}@florin.example>`))
    expect(missing).toEqual([])
    expect(written).toHaveLength(KILLS * MAILS_PER_KILL)
    expect(killsWhileSending).toBeGreaterThan(KILLS / 4)
  } finally {
    await database.close()
    await embedded.stop()
  }
}, 600_000)
