import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '@florin/server/config.js'
import { BESIDE_CLUSTER } from '../backup/backup.ts'
import { KEYS } from '../backup/keys.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const GB = 1024 ** 3
/** The log of the embedded database alone may take 2 GB before it is written over. */
const ENOUGH_BYTES = 3 * GB
const HARDLY_ANY_BYTES = GB / 2

/** The folder of the embedded database and the secrets. */
export async function checkDataFolder({ dataFolder: folder }: Config): Promise<Finding[]> {
  const there = await stat(folder).catch(() => null)
  if (there === null) {
    const parent = await freeSpace(await nearestFolder(folder))
    return [ok('data', `${folder} is not there yet; the first start makes it`), parent]
  }
  return [await writable(folder), await freeSpace(folder), ...(await secretModes(folder))]
}

async function writable(folder: string): Promise<Finding> {
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => ok('data', `${folder} can be written to`),
    () =>
      problem(
        'data',
        `${folder} may not be written to`,
        'Run this as the user that the folder belongs to, or name another folder: FLORIN_DATA.',
      ),
  )
}

async function freeSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const bytes = bavail * bsize
  const says = `${(bytes / GB).toFixed(1)} GB free in ${folder}`
  if (bytes >= ENOUGH_BYTES) return ok('disk', says)
  const todo = 'Make room: a database whose disk is full takes no payments.'
  return bytes < HARDLY_ANY_BYTES ? problem('disk', says, todo) : warning('disk', says, todo)
}

/** The folder itself, or the nearest one above that exists: the disk that a new folder will be on. */
export async function nearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  return isThere ? folder : nearestFolder(dirname(folder))
}

async function secretModes(folder: string): Promise<Finding[]> {
  const open: string[] = []
  for (const name of [...BESIDE_CLUSTER, ...KEYS.map(({ file }) => file)]) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found !== null && (found.mode & 0o077) !== 0) open.push(join(folder, name))
  }
  if (open.length === 0) return [ok('secrets', 'only their owner can read them')]
  return open.map((path) =>
    problem('secrets', `${path} can be read by others`, `Run: chmod 600 ${path}`),
  )
}
