import { data } from 'currency-codes'
import { describe, expect, it } from 'vitest'
import {
  CURRENCY_CODES,
  decimalsOf,
  MAX_DECIMALS,
  parseCurrency,
} from '../../src/core/currencies.ts'

// The package follows the list of June 2024 and includes every code.
const ONLY_IN_PACKAGE: Record<string, string> = {
  ANG: 'replaced by XCG on 31 March 2025',
  BGN: 'Bulgaria joined the euro on 1 January 2026',
  CUC: 'withdrawn by amendment 178',
  BOV: 'fund',
  CHE: 'fund (WIR)',
  CHW: 'fund (WIR)',
  CLF: 'unit of account, four decimals',
  COU: 'unit of account',
  MXV: 'unit of account',
  USN: 'fund (next day)',
  UYI: 'unit of account',
  UYW: 'unit of account, four decimals',
  XAG: 'metal',
  XAU: 'metal',
  XPD: 'metal',
  XPT: 'metal',
  XBA: 'bond market unit',
  XBB: 'bond market unit',
  XBC: 'bond market unit',
  XBD: 'bond market unit',
  XDR: 'special drawing right',
  XSU: 'sucre, a unit between states',
  XUA: 'unit of the African Development Bank',
  XTS: 'test',
  XXX: 'no currency',
}
const ONLY_IN_FLORIN: Record<string, string> = { XCG: 'new on 31 March 2025' }

describe('currencies', () => {
  it('differ from the published list only where a reason is given', () => {
    const ownCodes = new Set(CURRENCY_CODES)
    const publishedCodes = new Set(data.map((row) => row.code))
    expect([...publishedCodes].filter((code) => !ownCodes.has(code)).sort()).toEqual(
      Object.keys(ONLY_IN_PACKAGE).sort(),
    )
    expect([...ownCodes].filter((code) => !publishedCodes.has(code))).toEqual(
      Object.keys(ONLY_IN_FLORIN),
    )
  })

  it('agree with the published list on the decimals of every shared code', () => {
    for (const row of data) {
      const currency = parseCurrency(row.code)
      if (currency === null) continue
      expect([row.code, decimalsOf(currency)]).toEqual([row.code, row.digits])
    }
    expect(decimalsOf(parseCurrency('XCG')!)).toBe(2)
    expect(Math.max(...CURRENCY_CODES.map((code) => decimalsOf(parseCurrency(code)!)))).toBe(
      MAX_DECIMALS,
    )
  })

  it('are listed once, in order, and frozen', () => {
    expect(CURRENCY_CODES).toEqual([...new Set(CURRENCY_CODES)].sort())
    expect(CURRENCY_CODES.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true)
    expect(CURRENCY_CODES).toHaveLength(155)
    expect(Object.isFrozen(CURRENCY_CODES)).toBe(true)
  })

  it.each(['USD', 'JPY', 'KWD', 'SLE', 'ZWG', 'XCG', 'XAF', 'XOF', 'XPF', 'XCD'])(
    'include %s',
    (code) => {
      expect(parseCurrency(code)).toBe(code)
    },
  )

  it.each([
    'usd',
    'Usd',
    ' USD',
    'USD ',
    'USD\n',
    '',
    'US',
    'USDD',
    'HRK',
    'ZWL',
    'SLL',
    'XAU',
    'XAD',
    'constructor',
    '__proto__',
    'toString',
    'has',
    'ＵＳＤ',
    'A'.repeat(10_000),
  ])('do not include %j', (code) => {
    expect(parseCurrency(code)).toBeNull()
  })

  it('that are unknown have no decimals: reading them throws', () => {
    expect(() => decimalsOf('HRK' as never)).toThrow(RangeError)
  })
})
