import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { streamBaseBackup } from '../../src/embedded/baseBackup.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/server.ts'

let folder: string
let database: EmbeddedDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-base-backup-'))
  database = await startEmbedded({ folder, log: () => {} })
})
afterAll(async () => {
  await database.stop()
  await rm(folder, { recursive: true, force: true })
})

it('rejects with the error of work that fails before it reads the stream', async () => {
  const failing = streamBaseBackup(database.url, async () => {
    throw new Error('no space')
  })
  // An error of the unread stream would also fail this test, as an unhandled one.
  await expect(failing).rejects.toThrow('no space')
})
