import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../server/dist/embedded/server.js'

/** Starts the included PostgreSQL in a temporary folder. */
export async function startPostgres(print, cleanups) {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return { folder, url: await usePostgres(folder, cleanups, print) }
}

/** Returns the URL of the included PostgreSQL of a folder, and starts it unless a service already runs it. */
export async function usePostgres(folder, cleanups, log = () => {}) {
  const embedded = await startEmbedded({ folder, log })
  cleanups.push(() => embedded.stop())
  return embedded.url
}
