import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents with mode 700, and returns the first one that it created. The recursive `mkdir` of Node.js
 * never ends where the system refuses a folder with ENOENT, such as in /proc.
 */
export async function createFolder(path: string): Promise<string | undefined> {
  if (await isFolder(path)) return undefined
  const created = await createFolder(dirname(path))
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if (await isFolder(path)) return created
    throw error
  }
  return created ?? path
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
