import { mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findPostmaster, syncFolder } from '@florin/server/embedded/cluster.js'
import { Refused } from '../failure.ts'

/**
 * Moves the named files of `to` to `oldFolder`, and those of `from` to `to`. `oldFolder` is null if `to` has none of them.
 * If a step fails, all moves are undone.
 */
export async function swap({
  names,
  from,
  to,
  oldFolder,
}: {
  names: readonly string[]
  from: string
  to: string
  oldFolder: string | null
}): Promise<void> {
  const moved: { source: string; target: string }[] = []
  const move = async (files: readonly string[], folders: { from: string; to: string }) => {
    for (const name of await findPresent(folders.from, files)) {
      const [source, target] = [join(folders.from, name), join(folders.to, name)]
      await rename(source, target)
      moved.push({ source, target })
    }
  }
  try {
    if (oldFolder !== null) {
      await mkdir(oldFolder, { mode: 0o700 })
      await move(names, { from: to, to: oldFolder })
      // A service that started in the meantime keeps writing to the moved folder.
      if (await findPostmaster(join(oldFolder, 'postgres'))) {
        throw new Refused(
          `Florin was started in ${to} in the meantime. Nothing was changed. Stop Florin, then try again.`,
        )
      }
    }
    // Move the cluster last: if the swap is interrupted before, the next start finds no cluster and refuses to create one.
    await move([...names].reverse(), { from, to })
    await syncFolder(to)
  } catch (error) {
    for (const { source, target } of moved.reverse()) await rename(target, source)
    if (oldFolder !== null) await rmdir(oldFolder).catch(() => {})
    throw error
  }
}

/** Returns the names that exist in the folder, in the given order. */
export async function findPresent(folder: string, names: readonly string[]): Promise<string[]> {
  const found = new Set(await readdir(folder).catch(() => []))
  return names.filter((name) => found.has(name))
}
