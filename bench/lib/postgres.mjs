import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../server/dist/embedded/server.js'

/** Starts the included PostgreSQL in a temporary folder. */
export async function startPostgres(print, cleanups) {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  const embedded = await startEmbedded({ folder, log: print })
  cleanups.push(() => embedded.stop())
  return { folder, url: embedded.url }
}
