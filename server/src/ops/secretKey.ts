import type { Database } from '../database/database.ts'
import { keepSecretKeyHash } from '../store/stores.ts'

/** The first process writes down which key it uses; the others must have the same. */
export async function isSecretKeyRight(database: Database, keyHash: Buffer): Promise<boolean> {
  const kept = await database.transaction((tx) => keepSecretKeyHash(tx, keyHash))
  return kept.equals(keyHash)
}
