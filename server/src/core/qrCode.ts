import type { Mode, StoreId } from './ids.ts'

/** Mode, store, number and check digit. This file also runs in browsers. */
export const CODE_DIGITS = 27

// The Damm algorithm detects every single wrong digit and every swap of adjacent digits, the most common typing errors.
const DAMM = [
  '0317598642',
  '7092154863',
  '4206871359',
  '1750983426',
  '6123045978',
  '3674209581',
  '5869720134',
  '8945362017',
  '9438617205',
  '2581436790',
] as const

/**
 * Verifies the check digit first, so that a typing error is reported as one even if it results in an unknown mode or
 * store.
 */
export function parseQrCode(
  text: string,
): { mode: Mode; storeId: StoreId; number: bigint } | 'malformed' | 'wrong_check_digit' {
  if (!/^[0-9]+(?:[ -]+[0-9]+)*$/.test(text)) return 'malformed'
  const digits = text.replaceAll(/[ -]/g, '')
  if (digits.length !== CODE_DIGITS) return 'malformed'
  if (checkDigitOf(digits) !== 0) return 'wrong_check_digit'

  const mode = digits[0] === '1' ? 'live' : digits[0] === '2' ? 'sandbox' : null
  // Any seven digits are a valid store number, except zero.
  const storeId = Number(digits.slice(1, 8)) as StoreId
  if (mode === null || storeId === 0) return 'malformed'
  return { mode, storeId, number: BigInt(digits.slice(8, 26)) }
}

const ZERO = '0'.charCodeAt(0)

/** Returns the check digit, or zero if the digits include a correct one. */
export function checkDigitOf(digits: string): number {
  let interim = 0
  for (let index = 0; index < digits.length; index++) {
    interim = DAMM[interim]!.charCodeAt(digits.charCodeAt(index) - ZERO) - ZERO
  }
  return interim
}
