import { randomBytes } from 'node:crypto'
import { constants, copyFile, link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { otherOwner, syncFolder } from './embedded/cluster.ts'
import { readOrCreate } from './embedded/createOnce.ts'
import { RotationRefused } from './ops/rotateSecretKey.ts'

// The secret key is replaced in the database first, and then in the data folder. Until the transaction has committed, the new
// key waits in a second file, so that at any moment one of the two files has the key of the database.

const fileOf = (folder: string) => join(folder, 'secret.key')
const nextFileOf = (folder: string) => `${fileOf(folder)}.next`

/** 32 bytes in base64; null if the text is something else. */
export function parseKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 ? key : null
}

/** A key file that exists but cannot be read. The message names the file. */
export class UnreadableKey extends Error {}

/** Null if there is no file. */
export async function readKeyFile(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new UnreadableKey(
      `${path} cannot be read: ${message}. Check the path and its permissions.`,
    )
  }
}

/** Creates the next key, or returns that of an interrupted replacement, which the database may have. */
export async function createNextKey(folder: string): Promise<Buffer> {
  const file = nextFileOf(folder)
  const text = randomBytes(32).toString('base64')
  const key = parseKey(await readOrCreate(file, { text, user: await otherOwner(folder) }))
  if (key === null) throw new RotationRefused(`${file} is damaged. Move it away, and try again.`)
  return key
}

/** Null if there is no file, or if it is damaged. */
export async function readNextKey(folder: string): Promise<Buffer | null> {
  const text = await readKeyFile(nextFileOf(folder))
  return text === null ? null : parseKey(text)
}

/**
 * Makes the next key the secret key. Keeps the old one, which older backups need, and returns the path of its file. Null if
 * there is no old one, or if another process has done it in the meantime.
 */
export async function useNextKey(folder: string): Promise<string | null> {
  const oldFile = await keepKey(folder)
  try {
    await rename(nextFileOf(folder), fileOf(folder))
  } catch (error) {
    if (oldFile !== null) await rm(oldFile)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  await syncFolder(folder)
  return oldFile
}

async function keepKey(folder: string): Promise<string | null> {
  for (;;) {
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const file = `${fileOf(folder)}.until-${stamp}`
    try {
      // Not every file system has hard links.
      await link(fileOf(folder), file).catch(() =>
        copyFile(fileOf(folder), file, constants.COPYFILE_EXCL),
      )
      return file
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return null
      if (code !== 'EEXIST') throw error
      // Another process keeps the key in the same second.
      await sleep(1_000)
    }
  }
}
