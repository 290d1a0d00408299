import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '@florin/server/config.js'
import { BESIDE_CLUSTER } from '../backup/backup.ts'
import { KEYS } from '../backup/keys.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const GB = 1024 ** 3
/** The write-ahead log of the embedded database alone can use 2 GB. */
const ENOUGH_BYTES = 3 * GB
const MINIMUM_BYTES = GB / 2

export const OTHER_FOLDER =
  'Run this as the owner of the folder, or set FLORIN_DATA to another one.'

/** Checks the folder of the embedded database and the secrets. */
export async function checkDataFolder({ dataFolder: folder }: Config): Promise<Finding[]> {
  try {
    await stat(folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') return [problem('data', `cannot be used: ${message}`, OTHER_FOLDER)]
    const parent = await checkFreeSpace(await findNearestFolder(folder))
    return [ok('data', `${folder} does not exist yet; the first start creates it`), parent]
  }
  return [
    await checkWritable(folder),
    await checkFreeSpace(folder),
    ...(await checkSecretModes(folder)),
  ]
}

async function checkWritable(folder: string): Promise<Finding> {
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => ok('data', `${folder} is writable`),
    () => problem('data', `${folder} is not writable`, OTHER_FOLDER),
  )
}

async function checkFreeSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const bytes = bavail * bsize
  const message = `${(bytes / GB).toFixed(1)} GB free in ${folder}`
  if (bytes >= ENOUGH_BYTES) return ok('disk', message)
  const fix = 'Free some space: with a full disk, the database accepts no payments.'
  return bytes < MINIMUM_BYTES ? problem('disk', message, fix) : warning('disk', message, fix)
}

/** The folder, or its nearest existing parent: the disk that a new folder will use. */
export async function findNearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  return isThere ? folder : findNearestFolder(dirname(folder))
}

async function checkSecretModes(folder: string): Promise<Finding[]> {
  const exposedFiles: string[] = []
  for (const name of [...BESIDE_CLUSTER, ...KEYS.map(({ file }) => file)]) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found !== null && (found.mode & 0o077) !== 0) exposedFiles.push(join(folder, name))
  }
  if (exposedFiles.length === 0) return [ok('secrets', 'readable by their owner only')]
  return exposedFiles.map((path) =>
    problem('secrets', `${path} is readable by other users`, `Run: chmod 600 ${path}`),
  )
}
