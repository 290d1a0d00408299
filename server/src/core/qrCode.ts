import type { Mode, StoreId } from './ids.ts'

/** What somebody types or scans: mode, store, a random part and a check digit. Also used in browsers. */
export const CODE_DIGITS = 27

// Damm's quasigroup: unlike a sum of digits it catches every wrong digit and every swap of two
// neighbours, which is what people do when they type a number.
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
 * The check digit is judged before what the digits mean, so that a slip in any of them is called a
 * slip, also where it happens to make an unknown mode or store.
 */
export function parseQrCode(
  text: string,
): { mode: Mode; storeId: StoreId; number: bigint } | 'malformed' | 'wrong_check_digit' {
  if (!/^[0-9]+(?:[ -]+[0-9]+)*$/.test(text)) return 'malformed'
  const digits = text.replaceAll(/[ -]/g, '')
  if (digits.length !== CODE_DIGITS) return 'malformed'
  if (damm(digits) !== 0) return 'wrong_check_digit'

  const mode = digits[0] === '1' ? 'live' : digits[0] === '2' ? 'sandbox' : null
  // Seven digits are a number that a store may have, unless all are zero.
  const storeId = Number(digits.slice(1, 8)) as StoreId
  if (mode === null || storeId === 0) return 'malformed'
  return { mode, storeId, number: BigInt(digits.slice(8, 26)) }
}

const ZERO = '0'.charCodeAt(0)

/** Of digits without their check digit this is the check digit; of digits with it, zero. */
export function damm(digits: string): number {
  let interim = 0
  for (let place = 0; place < digits.length; place++) {
    interim = DAMM[interim]!.charCodeAt(digits.charCodeAt(place) - ZERO) - ZERO
  }
  return interim
}
