import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isCluster } from './cluster.ts'
import { EmbeddedSetupError } from './setupError.ts'

/** Prefixes of folder names in the data folder: for the unpacked copy of a restore, and for the data that it replaced. */
export const RESTORING = 'restoring-'
export const BEFORE_RESTORE = 'before-restore-'

/**
 * Refuses a data folder without a database if a restore was interrupted there. A restore moves the old database away before it
 * moves the new one in, and an empty database must not take that place.
 */
export async function refuseInterruptedRestore(folder: string): Promise<void> {
  if (await isCluster(join(folder, 'postgres'))) return
  const names = (await readdir(folder)).sort().reverse()
  const find = async (prefix: string) => {
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      if (await isCluster(join(folder, name, 'postgres'))) return join(folder, name)
    }
    return null
  }
  const replaced = await find(BEFORE_RESTORE)
  if (replaced !== null) {
    throw new EmbeddedSetupError(
      `A restore was interrupted: ${folder} has no database, and the replaced one is in ${replaced}. Move everything in ${replaced} to ${folder}, overwriting files there. Then start Florin, or restore again.`,
    )
  }
  const unpacked = await find(RESTORING)
  if (unpacked === null) return
  throw new EmbeddedSetupError(
    `A restore was interrupted or is running: ${folder} has no database, and ${unpacked} has an unpacked copy. Restore again. To start with an empty database instead, delete ${unpacked}.`,
  )
}
