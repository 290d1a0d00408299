import { createHmac } from 'node:crypto'

// The seals of the audit log form a chain: each hash covers the previous one. They are keyed, so that access to the
// database alone is not enough to rewrite the log and seal it again.

/** The parts of an audit entry that its seal covers, as canonical text. */
export type SealedText = {
  readonly contents: string
  /** All values before and after the change, if they contain personal data; null otherwise. */
  readonly personal: string | null
}

export type Seal = {
  readonly hash: Buffer
  readonly personalHash: Buffer | null
  /** Null for an entry without personal data, or if the data was erased. */
  readonly personalSalt: Buffer | null
}

const NO_HASH: Buffer = Buffer.alloc(32)

/** The hash before the first seal. */
export const CHAIN_START = NO_HASH

export const chainKeyOf = (secretKey: Buffer): Buffer =>
  createHmac('sha256', secretKey).update('florin audit chain').digest()

/** `salt` is used only if the entry has personal data. */
export function sealEntry(
  key: Buffer,
  { previous, entry, salt }: { previous: Buffer; entry: SealedText; salt: Buffer },
): Seal {
  const { contents, personal } = entry
  if (personal === null) {
    return {
      hash: chainHash(key, previous, contents, null),
      personalHash: null,
      personalSalt: null,
    }
  }
  const personalHash = hashPersonal(key, salt, personal)
  const hash = chainHash(key, previous, contents, personalHash)
  return { hash, personalHash, personalSalt: salt }
}

/** Seals an entry with another key. Its seal must be valid. The hash of erased personal data can't be computed again, so it stays. */
export function resealEntry(
  key: Buffer,
  { previous, entry, seal }: { previous: Buffer; entry: SealedText; seal: Seal },
): Seal {
  const { personalHash, personalSalt } = seal
  if (personalSalt !== null) return sealEntry(key, { previous, entry, salt: personalSalt })
  return { ...seal, hash: chainHash(key, previous, entry.contents, personalHash) }
}

/** `isErased`: the log records that the personal data was erased. Only then may it be missing. */
export function isSealOf(
  key: Buffer,
  {
    previous,
    entry,
    seal,
    isErased,
  }: {
    previous: Buffer
    entry: SealedText
    seal: Seal
    isErased: boolean
  },
): boolean {
  const { hash, personalHash, personalSalt } = seal
  if (!chainHash(key, previous, entry.contents, personalHash).equals(hash)) return false
  if (personalHash === null) return entry.personal === null
  if (personalSalt === null) return isErased && entry.personal === null
  return (
    entry.personal !== null && hashPersonal(key, personalSalt, entry.personal).equals(personalHash)
  )
}

function chainHash(key: Buffer, previous: Buffer, contents: string, personalHash: Buffer | null) {
  return createHmac('sha256', key)
    .update(previous)
    .update(personalHash ?? NO_HASH)
    .update(contents)
    .digest()
}

const hashPersonal = (key: Buffer, salt: Buffer, personal: string) =>
  createHmac('sha256', key).update(salt).update(personal).digest()

/** The newest seal, as an operator notes it: its position and its hash. */
export type ChainHead = { readonly position: bigint; readonly hash: string }

export const formatHead = ({ position, hash }: ChainHead) => `${position}:${hash}`

export function parseHead(text: string): ChainHead | null {
  const match = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text)
  return match && { position: BigInt(match[1]!), hash: match[2]! }
}
