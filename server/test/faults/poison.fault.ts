import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { type KillableService, prepareKillableService } from './killable.ts'
import { startLoad } from './load.ts'
import { createParticipants } from './participants.ts'
import { randomOf, seedOfRun } from './random.ts'
import { expectSound, keepRow, rowOf } from './report.ts'
import { verifyWrites } from './verify.ts'

const HOSTILE_RECEIVERS = [
  'gigabyte',
  'endless',
  'endlessChunks',
  'endlessHeaders',
  'endlessHeader',
  'endlessReason',
  'endlessInfo',
  'endlessTrailers',
  'manyHeaders',
  'drip',
  'dripHeaders',
  'silent',
  'half',
  'closed',
  'reset',
  'garbage',
  'twoLengths',
  'switch',
  'redirect',
  'gzip',
  'binary',
]
const WRITES = 800
/** How often the good receiver is in the list of URLs. */
const GOOD_URLS = 8
const SCRIPT = fileURLToPath(new URL('../webhooks/poisonReceivers.mjs', import.meta.url))

let service: KillableService
let good: Receiver
let hostile: ChildProcess
let ports: Record<string, number>
beforeAll(async () => {
  good = await startReceiver()
  hostile = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(hostile.stdout!, 'data')
  ports = (JSON.parse(String(line)) as { ownPorts: Record<string, number> }).ownPorts
  service = await prepareKillableService()
})
afterAll(async () => {
  await service.remove()
  hostile.stdin!.end()
  await good.close()
})

it('accepts payments and delivers to a good receiver while all others are hostile', async () => {
  const random = randomOf(seedOfRun()).part('poison')
  await service.start()
  const participants = await createParticipants(service.origin, await service.demo())
  const hostileUrls = HOSTILE_RECEIVERS.map((name) => `http://127.0.0.1:${ports[name]}/${name}`)
  // This receiver never responds to a TLS handshake.
  const noTls = `https://127.0.0.1:${ports.fine}/`
  const webhookUrls = [...hostileUrls, noTls, ...Array<string>(GOOD_URLS).fill(good.url)]
  const load = startLoad({ origins: [service.origin], participants, random, webhookUrls })
  await load.untilWrites(WRITES, 200_000)
  const result = await load.stop()

  const embedded = await service.openDatabase()
  const database = openDatabase({ url: embedded.url, poolSize: 2, poolTimeoutMs: 5_000 })
  try {
    const owed = await database.query<{ id: string }>(
      `select 'evt_' || substr(payment_id, 5) || '_' || sequence as id from event where url = $1`,
      [good.url],
    )
    const findMissing = () => {
      const arrived = new Set(good.received.map(({ headers }) => headers['webhook-id']))
      return owed.filter(({ id }) => !arrived.has(id))
    }
    await vi.waitFor(() => expect(findMissing()).toEqual([]), { timeout: 90_000, interval: 200 })
    const verification = await verifyWrites(embedded.url, result)
    const [tried] = await database.query<{ bad: number }>(
      `select count(*)::int as bad
       from delivery_attempt as attempt
       join event using (store_id, payment_id, sequence)
       where event.url <> $1`,
      [good.url],
    )
    const faults = `${HOSTILE_RECEIVERS.length + 1} hostile receivers called ${tried!.bad} times; all ${owed.length} events for a good one arrived`
    const part = { part: 'hostile receivers', command: 'npm run test:faults -- poison', faults }
    await keepRow(rowOf(part, result, verification))
    expectSound(result, verification)
    expect(owed.length).toBeGreaterThan(0)
    expect(tried!.bad).toBeGreaterThan(HOSTILE_RECEIVERS.length)
    expect([result.unanswered, result.busy]).toEqual([0, 0])
  } finally {
    await database.close()
    await service.end('SIGTERM')
    await embedded.stop()
  }
})
