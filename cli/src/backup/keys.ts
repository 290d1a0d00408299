import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprintOf } from '@florin/server/core/secrets.js'
import { readKeyFile, UnreadableKey } from '@florin/server/keyFiles.js'
import { Refused, UsageError } from '../failure.ts'

// Keys that the data needs. New backups don't contain them, so that a stolen backup doesn't reveal the secrets that they protect.

export const KEYS = [
  { file: 'secret.key', setting: 'FLORIN_SECRET_KEY', flag: '--secret-key', isAlwaysNeeded: true },
  // Databases of earlier versions have no pepper.
  { file: 'pepper.key', setting: 'FLORIN_PEPPER', flag: '--pepper', isAlwaysNeeded: false },
] as const
export const [SECRET_KEY, PEPPER] = KEYS

type Key = (typeof KEYS)[number]
type KeyFile = Key['file']

/** A key and its source: a setting, a file or the backup. */
type FoundKey = { readonly text: string; readonly from: string }

/** Hashes of the keys of a backup, to detect a wrong key before anything is replaced. */
export type KeyHashes = Partial<Record<KeyFile, string>>

/** Finds the key that the service uses. A setting takes precedence over the file. */
export async function findKey(key: Key, folder: string): Promise<FoundKey | null> {
  const value = process.env[key.setting]?.trim()
  if (value) return { text: value, from: key.setting }
  const path = join(folder, key.file)
  const text = await readKey(path)
  return text === null ? null : { text, from: path }
}

/** Returns null if the file does not exist. */
const readKey = (path: string): Promise<string | null> => readKeyFile(path).catch(asRefusal)

function asRefusal(error: unknown): never {
  throw error instanceof UnreadableKey ? new Refused(error.message) : error
}

/** A key is 32 random bytes, so its hash reveals nothing. */
const keyHash = (text: string): string =>
  createHash('sha256').update(Buffer.from(text, 'base64')).digest('hex')

/** The hash that the service stores. A key can be written in several ways, such as base64url or without padding. */
export const storedHash = (text: string): Buffer => fingerprintOf(Buffer.from(text, 'base64'))

export type UsedKey = FoundKey & { readonly file: KeyFile }

/** Returns the keys that exist. */
export async function findKeys(folder: string): Promise<UsedKey[]> {
  const found = await Promise.all(
    KEYS.map(async (key) => {
      const used = await findKey(key, folder)
      return used === null ? [] : [{ ...used, file: key.file }]
    }),
  )
  return found.flat()
}

/**
 * The hashes of these keys, without those that are not the keys of the database: after `florin rotate-key` was interrupted, the
 * right one may still be in another file.
 */
export function hashesOf(
  keys: readonly UsedKey[],
  stored: { readonly secretKey: Buffer | null; readonly pepper: Buffer | null },
): KeyHashes {
  const expected = { 'secret.key': stored.secretKey, 'pepper.key': stored.pepper }
  const right = keys.filter(({ file, text }) => expected[file]?.equals(storedHash(text)) !== false)
  return Object.fromEntries(right.map(({ file, text }) => [file, keyHash(text)]))
}

/** Paths of key files from the command line, by the name of the file in the data folder. */
export type KeyPaths = { readonly [file in KeyFile]?: string | undefined }

type PlacedKey = {
  readonly file: KeyFile
  /** A file, a setting or the backup. */
  readonly from: string
  readonly isInBackup: boolean
  /** Whether the data folder has the same key. */
  readonly isInFolder: boolean
}

/**
 * Finds every key that an unpacked backup needs and writes it there, except keys from settings, which stay out of files. Refuses a missing
 * key, and a key other than the backup's.
 */
export async function placeKeys(
  unpacked: string,
  { folder, keyPaths, hashes }: { folder: string; keyPaths: KeyPaths; hashes: KeyHashes },
): Promise<PlacedKey[]> {
  const placed: PlacedKey[] = []
  const missing: Key[] = []
  for (const key of KEYS) {
    const { file } = key
    const path = join(unpacked, file)
    const storedKey = await readKey(path)
    const found = await findBackupKey(key, { storedKey, folder, keyPaths })
    const expected = hashes[file]
    if (found === null) {
      if (key.isAlwaysNeeded || expected !== undefined) missing.push(key)
      continue
    }
    const { text, from } = found
    if (expected !== undefined && keyHash(text) !== expected) {
      throw new Refused(
        `${from} is not the key of this backup. Give the right one with ${key.flag} or ${key.setting}. Nothing was changed.`,
      )
    }
    const isInFolder = text === (await readKey(join(folder, file)))
    placed.push({ file, from, isInBackup: storedKey !== null, isInFolder })
    if (from === THE_BACKUP) continue
    if (from === key.setting) await rm(path, { force: true })
    else await writeFile(path, `${text}\n`, { mode: 0o600, flush: true })
  }
  if (missing.length > 0) throw new Refused(missingKeysMessage(missing, folder))
  return placed
}

function missingKeysMessage(missing: readonly Key[], folder: string): string {
  const ways = missing.map(({ file, flag, setting }) => `  ${file}: ${flag} FILE, or ${setting}`)
  return [
    `Backups do not contain keys. Put the keys of this backup into ${folder}, or give each of them:`,
    ...ways,
    'Nothing was changed.',
  ].join('\n')
}

const THE_BACKUP = 'the backup'

async function findBackupKey(
  key: Key,
  { storedKey, folder, keyPaths }: { storedKey: string | null; folder: string; keyPaths: KeyPaths },
): Promise<FoundKey | null> {
  const named = keyPaths[key.file]
  const isSet = Boolean(process.env[key.setting]?.trim())
  if (named !== undefined && isSet) {
    throw new UsageError(`${key.flag} and ${key.setting} are both given. Give one of them.`)
  }
  if (named !== undefined) {
    const text = await readKey(named)
    if (text === null) throw new UsageError(`${named} does not exist. Check the path.`)
    return { text, from: named }
  }
  return isSet || storedKey === null ? findKey(key, folder) : { text: storedKey, from: THE_BACKUP }
}
