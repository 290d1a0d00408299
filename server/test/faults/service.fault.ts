import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KillableService, prepareKillableService } from './killable.ts'
import { startLoad } from './load.ts'
import { createParticipants } from './participants.ts'
import { randomOf, seedOfRun } from './random.ts'
import { expectSound, keepRow, rowOf } from './report.ts'
import { verifyEmbedded } from './verify.ts'

const KILLS = 50

let service: KillableService
beforeAll(async () => {
  service = await prepareKillableService()
})
afterAll(() => service.remove())

it(`loses no acknowledged write when it is killed ${KILLS} times under load`, async () => {
  const random = randomOf(seedOfRun()).part('service')
  await service.start()
  const participants = await createParticipants(service.origin, await service.demo())
  const load = startLoad({ origins: [service.origin], participants, random })
  for (let kill = 0; kill < KILLS; kill++) {
    await load.untilWrites(random.between(1, 100))
    await sleep(random.between(0, 500))
    await service.end('SIGKILL')
    await service.start()
  }
  await load.untilWrites(20)
  const result = await load.stop()
  await service.end('SIGTERM')

  const verification = await verifyEmbedded(service, result)
  const part = {
    part: 'service killed',
    command: 'npm run test:faults -- service',
    faults: `${KILLS} × SIGKILL`,
  }
  await keepRow(rowOf(part, result, verification))
  expectSound(result, verification)
  expect(result.unanswered).toBeGreaterThan(0)
}, 600_000)
