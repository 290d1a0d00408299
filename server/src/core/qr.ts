import { randomInt } from 'node:crypto'
import { asStoreId, type Mode, type StoreId } from './ids.ts'
import { checkDigitOf } from './qrCode.ts'

const NUMBER_LIMIT = 10n ** 18n
const STEP_MS = 60_000
const STEPS = 100_000
const RANDOM_LIMIT = 10_000_000_000_000

/**
 * Five digits of the minute, which wrap around after 69 days, then thirteen random digits. Numbers of the
 * same time are adjacent in the index, so new payments write to few index pages.
 */
export function mintQrNumber(at: Date): bigint {
  const step = Math.floor(at.getTime() / STEP_MS) % STEPS
  return BigInt(step) * BigInt(RANDOM_LIMIT) + BigInt(randomInt(RANDOM_LIMIT))
}

export function formatQrCode(mode: Mode, storeId: StoreId, number: bigint): string {
  if (asStoreId(storeId) === null) throw new RangeError(`not a store number: ${storeId}`)
  if (number < 0n || number >= NUMBER_LIMIT)
    throw new RangeError('a QR number must have at most 18 digits')
  const modeDigit = mode === 'live' ? '1' : '2'
  const digits = modeDigit + String(storeId).padStart(7, '0') + String(number).padStart(18, '0')
  return digits + checkDigitOf(digits)
}
