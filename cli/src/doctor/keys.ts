import { join } from 'node:path'
import type { Config } from '@florin/server/config.js'
import { fingerprintOf } from '@florin/server/core/secrets.js'
import type { Database } from '@florin/server/database/database.js'
import { readNextKey, UnreadableKey } from '@florin/server/keyFiles.js'
import { findPepperHash, findSecretKeyHash } from '@florin/server/sql/secrets.js'
import { findKey, PEPPER, SECRET_KEY, storedHash } from '../backup/keys.ts'
import { Refused } from '../failure.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Checks the two keys that the data needs. */
export async function checkKeys(database: Database, { dataFolder }: Config): Promise<Finding[]> {
  const expected = await findSecretKeyHash(database)
  if (expected === null) return [ok('secret key', 'none in use yet')]
  return Promise.all([
    checkSecretKey(expected, dataFolder).catch(asUnreadable('secret key')),
    checkPepper(database, dataFolder).catch(asUnreadable('pepper')),
  ])
}

/** A file that can't be read is a finding, so that the other checks still run. */
const asUnreadable =
  (check: string) =>
  (error: unknown): Finding => {
    if (!(error instanceof Refused || error instanceof UnreadableKey)) throw error
    return problem(check, error.message, 'Run this as the user who runs Florin.')
  }

async function checkSecretKey(expected: Buffer, dataFolder: string): Promise<Finding> {
  const secretKey = await findKey(SECRET_KEY, dataFolder)
  const help = `Set FLORIN_SECRET_KEY to the key that encrypted them, or restore its file: ${join(dataFolder, SECRET_KEY.file)}.`
  if (secretKey !== null && storedHash(secretKey.text).equals(expected)) {
    return ok('secret key', 'matches the database')
  }
  const next = secretKey?.from === SECRET_KEY.setting ? null : await readNextKey(dataFolder)
  if (next !== null && fingerprintOf(next).equals(expected)) {
    return warning(
      'secret key',
      'florin rotate-key was interrupted: the key of the database is in secret.key.next',
      'Start Florin, which moves it to secret.key.',
    )
  }
  return problem(
    'secret key',
    secretKey === null
      ? 'is missing: the secrets encrypted with it cannot be read'
      : 'does not match the secrets in the database',
    help,
  )
}

async function checkPepper(database: Database, dataFolder: string): Promise<Finding> {
  const expected = await findPepperHash(database)
  const pepper = await findKey(PEPPER, dataFolder)
  const help = `Set FLORIN_PEPPER to the pepper that hashed them, or restore its file: ${join(dataFolder, PEPPER.file)}. If it is lost: npx florin reset-pepper`
  if (pepper === null) {
    return expected === null
      ? warning('pepper', 'is missing', 'The next start generates one.')
      : problem('pepper', 'is missing: the PINs hashed with it cannot be checked', help)
  }
  if (expected === null || storedHash(pepper.text).equals(expected)) {
    return ok('pepper', expected === null ? 'found' : 'matches the database')
  }
  return problem('pepper', 'does not match the PINs in the database', help)
}
