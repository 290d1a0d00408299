import { join } from 'node:path'
import type { Config } from '@florin/server/config.js'
import { hashToken } from '@florin/server/core/ids.js'
import type { Database } from '@florin/server/database/database.js'
import { findSecretKeyHash } from '@florin/server/store/stores.js'
import { findKey, KEYS } from '../backup/keys.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const [SECRET_KEY, PEPPER] = KEYS

/** Checks the two keys that the data requires and that no backup contains. */
export async function checkKeys(database: Database, { dataFolder }: Config): Promise<Finding[]> {
  const expected = await findSecretKeyHash(database)
  if (expected === null) return [ok('secret key', 'none in use yet')]
  const secretKey = await findKey(SECRET_KEY, dataFolder)
  const isRight = secretKey !== null && hashToken(secretKey.text).equals(expected)
  return [
    isRight
      ? ok('secret key', 'matches the database')
      : problem(
          'secret key',
          'is not the one that the secrets in the database are encrypted with',
          `Set FLORIN_SECRET_KEY to that key, or restore its file: ${join(dataFolder, SECRET_KEY.file)}`,
        ),
    (await findKey(PEPPER, dataFolder)) !== null
      ? ok('pepper', 'found')
      : warning(
          'pepper',
          'is missing: PINs that were hashed with it cannot be checked',
          `Set FLORIN_PEPPER to it, or restore its file: ${join(dataFolder, PEPPER.file)}. If there never was one, the next start generates it.`,
        ),
  ]
}
