import { randomBytes, randomFillSync } from 'node:crypto'
import { digest } from './digest.ts'

export type StoreId = number & { readonly brand: 'StoreId' }
export type WalletNumber = number & { readonly brand: 'WalletNumber' }
export type PaymentId = string & { readonly brand: 'PaymentId' }
export type LinkId = string & { readonly brand: 'LinkId' }

export type Mode = 'live' | 'sandbox'
export const MODES: readonly Mode[] = ['live', 'sandbox']

/** Live and sandbox data of a store are separate. */
export type StoreAndMode = { readonly storeId: StoreId; readonly mode: Mode }

/** A QR code has seven digits for the store. */
export const MAX_STORE_ID = 9_999_999

/** The maximum of an integer column. */
const MAX_WALLET_NUMBER = 2 ** 31 - 1
const MAX_TIME_MS = 2 ** 48 - 1

// Crockford's base32 in lower case, without i, l, o and u. In ASCII order, so that the text sorts like the number.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PAYMENT_ID = /^pay_[0-9a-hjkmnp-tv-z]{26}$/
const LINK_ID = /^lnk_[0-9a-hjkmnp-tv-z]{26}$/
const WALLET_ID = /^wal_[0-9a-hjkmnp-tv-z]{16}$/

export function asStoreId(value: number): StoreId | null {
  const isInRange = Number.isInteger(value) && value >= 1 && value <= MAX_STORE_ID
  return isInRange ? (value as StoreId) : null
}

/** Parses the number of a store in a path. */
export function parseStoreId(text: string): StoreId | null {
  return /^\d{1,7}$/.test(text) ? asStoreId(Number(text)) : null
}

export function asWalletNumber(value: number): WalletNumber | null {
  const isInRange = Number.isInteger(value) && value >= 1 && value <= MAX_WALLET_NUMBER
  return isInRange ? (value as WalletNumber) : null
}

export function mintPaymentId(at: Date, storeId: StoreId): PaymentId {
  return `pay_${mintIdOfStore(at, storeId)}` as PaymentId
}

export function parsePaymentId(text: string): { paymentId: PaymentId; storeId: StoreId } | null {
  const storeId = PAYMENT_ID.test(text) ? storeIn(text) : null
  return storeId === null ? null : { paymentId: text as PaymentId, storeId }
}

export function mintLinkId(at: Date, storeId: StoreId): LinkId {
  return `lnk_${mintIdOfStore(at, storeId)}` as LinkId
}

export function parseLinkId(text: string): { linkId: LinkId; storeId: StoreId } | null {
  const storeId = LINK_ID.test(text) ? storeIn(text) : null
  return storeId === null ? null : { linkId: text as LinkId, storeId }
}

/**
 * 130 bits in 26 characters: 48 of milliseconds, 24 of store number, 58 random. The time comes
 * first so that ids sort by age, and the store is inside so that an id alone finds its shard.
 */
function mintIdOfStore(at: Date, storeId: StoreId): string {
  if (asStoreId(storeId) === null) throw new RangeError(`not a store number: ${storeId}`)
  return `${timeAndStore(timeMs(at), storeId)}${mixedChar(storeId % 4, 3)}${randomChars(11)}`
}

/** The store in an id with a prefix of four characters. */
function storeIn(id: string): StoreId | null {
  const upper = decode(id.slice(13, 18)) % 2 ** 22
  const lower = decode(id.slice(18, 19)) >>> 3
  return asStoreId(upper * 4 + lower)
}

/** The lower bound of the ids of that millisecond. Times out of range are clamped. */
export function paymentIdLowerBound(at: Date): string {
  const atMs = timeMs(new Date(Math.min(Math.max(at.getTime(), 0), MAX_TIME_MS)))
  return `pay_${timeAndStore(atMs, 0)}${'0'.repeat(12)}`
}

/** The creation time, which is part of the id. */
export function paymentIdTime(id: string): Date {
  return new Date(decode(id.slice(4, 13)) * 8 + (decode(id.slice(13, 14)) >>> 2))
}

/** 80 bits in 16 characters: 32 of wallet number and 48 random, so that it can't be guessed. */
export function mintWalletId(walletNumber: WalletNumber): string {
  if (asWalletNumber(walletNumber) === null) {
    throw new RangeError(`not a wallet number: ${walletNumber}`)
  }
  const upper = Math.floor(walletNumber / 4)
  return `wal_${encode(upper, 6)}${mixedChar(walletNumber % 4, 3)}${randomChars(9)}`
}

export function parseWalletId(text: string): WalletNumber | null {
  if (!WALLET_ID.test(text)) return null
  const lower = decode(text.slice(10, 11)) >>> 3
  return asWalletNumber(decode(text.slice(4, 10)) * 4 + lower)
}

/** The prefix as given, such as `fnd_`, then 48 bits of milliseconds and 82 random ones. */
export function mintReference(prefix: string, at: Date): string {
  const atMs = timeMs(at)
  return `${prefix}${encode(Math.floor(atMs / 8), 9)}${mixedChar(atMs % 8, 2)}${randomChars(16)}`
}

/** Doesn't use the pool below, which would keep the bytes of a secret in memory. */
export function mintToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Whether the text has the format of `mintToken`. */
export function isToken(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(prefix.length))
}

/** Eighty bits in four groups, easy to read aloud and to type. */
export function mintPassword(): string {
  return encodeInGroups(randomBytes(16))
}

/** One character for five bits of each byte, in groups of four. */
export function encodeInGroups(bytes: Uint8Array): string {
  const chars = Array.from(bytes, (byte) => ALPHABET[byte % 32]!).join('')
  return chars.match(/.{4}/g)!.join('-')
}

/** A plain hash is enough, because a token has 256 random bits. */
export function hashToken(token: string): Buffer {
  return digest(token)
}

function timeMs(at: Date): number {
  const atMs = at.getTime()
  if (!(atMs >= 0 && atMs <= MAX_TIME_MS)) throw new RangeError('the time of an id is out of range')
  return atMs
}

// The first 14 characters: 45 and 3 bits of time, then the upper 22 of the store's 24 bits. Split so that each part
// fits a number, because bigints would dominate the cost.
function timeAndStore(atMs: number, storeId: number): string {
  return encode(Math.floor(atMs / 8), 9) + encode((atMs % 8) * 2 ** 22 + (storeId >>> 2), 5)
}

function encode(value: number, length: number): string {
  let text = ''
  let rest = value
  for (let i = 0; i < length; i++) {
    text = ALPHABET[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  return text
}

function decode(text: string): number {
  let value = 0
  for (const char of text) value = value * 32 + ALPHABET.indexOf(char)
  return value
}

/** One character whose upper bits are given and whose lower bits are random. */
function mixedChar(upper: number, randomBits: number): string {
  const size = 2 ** randomBits
  return ALPHABET[upper * size + (randomByte() % size)]!
}

function randomChars(length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += ALPHABET[randomByte() % 32]!
  return text
}

// A system call for a few bytes costs more than minting an id, so random bytes are fetched in bulk. Each byte is used
// once. 256 is a multiple of every divisor above, so the characters are uniform.
const pool = Buffer.alloc(8192)
let poolUsed = pool.length

function randomByte(): number {
  if (poolUsed === pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  return pool[poolUsed++]!
}
