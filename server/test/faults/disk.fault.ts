import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isConnectionLost } from '../../src/database/errors.ts'
import { type KillableService, prepareKillableService } from './killable.ts'
import { type Load, startLoad } from './load.ts'
import { createParticipants, send } from './participants.ts'
import { randomOf, seedOfRun } from './random.ts'
import { expectSound, keepRow, rowOf } from './report.ts'
import { verifyEmbedded } from './verify.ts'

const execute = promisify(execFile)
const DISK_SIZE = '300m'
const TIMES_FULL = 6
const FILL_TIMEOUT_MS = 60_000
/** More WAL segments than fit on the disk. */
const MAX_SEGMENTS = 40

/**
 * A separate file system, so that it can be filled to the last byte without affecting others. Without the right to
 * mount, returns the reason to skip the test.
 */
async function mountDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'florin-disk-'))
  const ballast = join(folder, 'ballast')
  try {
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE},mode=700`, 'tmpfs', folder])
  } catch (error) {
    await rm(folder, { recursive: true })
    return `needs the right to mount a file system: ${(error as Error).message.trim()}`
  }
  return {
    folder,
    async fill(): Promise<void> {
      const file = await open(ballast, 'a')
      try {
        // Write smaller and smaller pieces, until not even one byte fits.
        for (let size = 2 ** 20; size >= 1; ) {
          const { bytesWritten } = await file
            .write(Buffer.alloc(size))
            .catch(() => ({ bytesWritten: 0 }))
          if (bytesWritten < size) size = Math.floor(size / 2)
        }
      } finally {
        await file.close()
      }
    },
    makeRoom: () => rm(ballast, { force: true }),
    async remove(): Promise<void> {
      await execute('umount', [folder])
      await rm(folder, { recursive: true })
    },
  }
}

let disk: Awaited<ReturnType<typeof mountDisk>>
let service: KillableService | undefined
beforeAll(async () => {
  disk = await mountDisk()
  if (typeof disk !== 'string') service = await prepareKillableService({ folder: disk.folder })
})
afterAll(async () => {
  if (typeof disk === 'string') return
  await disk.makeRoom()
  await service?.remove()
  await disk.remove()
})

/** Fills the existing WAL segments, so that the WAL has no space either. */
async function fillLog(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
      await client.query('select pg_switch_wal()')
      await client.query(`select pg_logical_emit_message(true, 'florin', 'one more segment')`)
    }
  } catch (error) {
    // PostgreSQL exited and closed this connection. Its log file does not name the reason, because the disk is full.
    if ((error as pg.DatabaseError).severity === 'PANIC' || isConnectionLost(error)) return
    throw error
  } finally {
    await client.end().catch(() => {})
  }
  throw new Error('The write-ahead log still had space on a full disk')
}

/** Waits until requests are refused and no write is acknowledged for a while. */
async function untilNoWrites(load: Load): Promise<void> {
  const deadlineMs = Date.now() + FILL_TIMEOUT_MS
  for (let before = load.count(); Date.now() < deadlineMs; ) {
    await sleep(500)
    const now = load.count()
    if (now.writes === before.writes && now.busy > before.busy) return
    before = now
  }
  throw new Error('Writes continued, or no request was refused, although the disk is full')
}

it(`the service refuses writes while its disk is full, ${TIMES_FULL} times, and continues when there is room`, async ({
  skip,
}) => {
  if (typeof disk === 'string' || service === undefined) return skip(String(disk))
  const random = randomOf(seedOfRun()).part('disk')
  await service.start()
  const participants = await createParticipants(service.origin, await service.demo())
  const { url, stop } = await service.openDatabase()
  await stop()
  const load = startLoad({ origins: [service.origin], participants, random })
  let exits = 0
  for (let time = 0; time < TIMES_FULL; time++) {
    await load.untilWrites(random.between(20, 100))
    await disk.fill()
    // At least once, regardless of the random numbers.
    if (random.chance(0.4) || time === 1) {
      await fillLog(url)
      exits += 1
    }
    await untilNoWrites(load)
    await sleep(random.between(0, 3_000))
    expect((await send(service.origin, { method: 'GET', path: '/health' }))?.status).toBe(200)
    await disk.makeRoom()
    await load.untilWrites(20)
  }
  expect(service.isRunning()).toBe(true)
  const result = await load.stop()
  await service.end('SIGTERM')

  const verification = await verifyEmbedded(service, result)
  const faults = `${TIMES_FULL} × full, ${exits} × until PostgreSQL exited`
  const part = { part: 'disk full', command: 'npm run test:faults -- disk', faults }
  await keepRow(rowOf(part, result, verification))
  expectSound(result, verification)
})
