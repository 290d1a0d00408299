import type { Database } from '../database/database.ts'
import { keepPepperHash, keepSecretKeyHash } from '../sql/stores.ts'

/** The first process writes down which key it uses; the others must have the same. */
export async function isSecretKeyRight(database: Database, keyHash: Buffer): Promise<boolean> {
  const kept = await database.transaction((tx) => keepSecretKeyHash(tx, keyHash))
  return kept.equals(keyHash)
}

/** The same for the pepper: with another one no PIN would be right. */
export async function isPepperRight(database: Database, pepperHash: Buffer): Promise<boolean> {
  const kept = await database.transaction((tx) => keepPepperHash(tx, pepperHash))
  return kept.equals(pepperHash)
}
