import { execFile } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { type KillableService, prepareKillableService } from './killable.ts'
import { startLoad } from './load.ts'
import { createParticipants, send } from './participants.ts'
import { randomOf, seedOfRun } from './random.ts'
import { expectSound, keepRow, rowOf } from './report.ts'
import { verifyWrites } from './verify.ts'

const NAME_SERVER = '127.0.5.3'
const HOSTS = 20
const TURNS = 4

let folder: string
let launcher: string[]
let service: KillableService | undefined
let skipReason = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-dns-'))
  const file = join(folder, 'resolv.conf')
  await writeFile(file, `nameserver ${NAME_SERVER}\n`)
  // Only the service and its children can't resolve names.
  const script = `mount --bind ${file} /etc/resolv.conf && exec "$@"`
  launcher = ['unshare', '--mount', 'sh', '-c', script, 'sh']
  const [command, ...args] = [...launcher, 'true']
  try {
    await promisify(execFile)(command!, args)
    ;(await listen()).close()
    service = await prepareKillableService({ launcher, env: { FLORIN_WEBHOOK_PRIVATE: 'refuse' } })
  } catch (error) {
    skipReason = `needs a mount namespace and port 53: ${(error as Error).message.trim()}`
  }
})
afterAll(async () => {
  await service?.remove()
  await rm(folder, { recursive: true })
})

/** A name server that receives every query and never responds. */
async function listen(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(53, NAME_SERVER)
  await once(socket, 'listening')
  return socket
}

it('accepts payments while no name can be resolved, and keeps unsent events', async ({ skip }) => {
  if (service === undefined) return skip(skipReason)
  const random = randomOf(seedOfRun()).part('dns')
  await service.start()
  const demo = await service.demo()
  const participants = await createParticipants(service.origin, demo)
  const webhookUrls = Array.from({ length: HOSTS }, (_, n) => `https://shop${n}.example.com/hook`)
  const load = startLoad({ origins: [service.origin], participants, random, webhookUrls })
  let silentTurns = 0
  for (let turn = 0; turn < TURNS; turn++) {
    const isSilent = turn === 0 || (turn > 1 && random.chance(0.5))
    const nameServer = isSilent ? await listen() : null
    if (isSilent) silentTurns += 1
    await load.untilWrites(random.between(50, 150))
    await sleep(random.between(2_000, 5_000))
    // Signing in hashes the PIN in the thread pool, whose threads pending lookups must not occupy.
    const { phone, pin } = demo.wallets[0]!
    const signedIn = await send(service.origin, { path: '/wallet/session', body: { phone, pin } })
    expect(signedIn?.status).toBe(200)
    nameServer?.close()
  }
  const result = await load.stop()

  const embedded = await service.openDatabase()
  const database = openDatabase({ url: embedded.url, poolSize: 2, poolTimeoutMs: 5_000 })
  try {
    const [found] = await database.query<{ events: number; queued: number; tried: number }>(
      `select (select count(*)::int from event where url is not null) as events,
              (select count(*)::int from delivery) as queued,
              (select count(*)::int from delivery_attempt) as tried`,
    )
    const errors = await database.query<{ error: string | null }>(
      'select distinct error from delivery_attempt',
    )
    const verification = await verifyWrites(embedded.url, result)
    const turns = `name server not responding ${silentTurns} ×, down ${TURNS - silentTurns} ×`
    const faults = `${turns}; ${found!.tried} deliveries attempted, all ${found!.queued} kept`
    const part = { part: 'DNS unavailable', command: 'npm run test:faults -- dns', faults }
    await keepRow(rowOf(part, result, verification))
    expectSound(result, verification)
    expect(found!.queued).toBe(found!.events)
    expect(found!.tried).toBeGreaterThan(0)
    expect(errors).toEqual([{ error: 'the host name could not be resolved' }])
    expect([result.unanswered, result.busy]).toEqual([0, 0])
  } finally {
    await database.close()
    await service.end('SIGTERM')
    await embedded.stop()
  }
})
