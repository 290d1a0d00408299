import { randomInt } from 'node:crypto'

/** Frequent in published lists of PINs, and not caught by the rules below. */
const COMMON = new Set(
  `0007 0852 1004 1100 1122 1221 1379 1470 2112 2211 2580 5683 10203 11223 12321 13579
   14789 52013 102030 111222 112211 112233 123321 147258 147852 159357 159753 258456 789456
   1020304 1122334 5201314 7894561 10203040 11112222 11223344 12344321 14725836`.split(/\s+/),
)

/** Whether a PIN is easy to guess. */
export function isWeakPin(pin: string): boolean {
  return isRepeated(pin) || isSequence(pin) || isYear(pin) || COMMON.has(pin)
}

/** A repeated group of digits: 1111, 1212, 123123. */
function isRepeated(pin: string): boolean {
  const sizes = [1, 2, 3, 4].filter((size) => size < pin.length)
  return sizes.some((size) => pin === pin.slice(0, size).repeat(pin.length / size))
}

/** Ascending or descending by one, wrapping around after nine: 1234, 8765, 7890. */
function isSequence(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10)
  return steps.every((step) => step === 1) || steps.every((step) => step === 9)
}

const isYear = (pin: string) => /^(19\d\d|20[0-2]\d)$/.test(pin)

const GENERATED_PIN_DIGITS = 6

export function mintPin(): string {
  const pin = String(randomInt(10 ** GENERATED_PIN_DIGITS)).padStart(GENERATED_PIN_DIGITS, '0')
  return isWeakPin(pin) ? mintPin() : pin
}
