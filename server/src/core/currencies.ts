export type CurrencyCode = string & { readonly brand: 'CurrencyCode' }

// ISO 4217 as of 2026, frozen here because a package update must never change how many decimals an
// amount on file has. Left out: funds and units of account (BOV, CHE, CHW, CLF, COU, MXV, USN, UYI,
// UYW), since nobody is paid in them, and the metal, test and reserve codes that begin with X. The
// four-decimal units all fall under the first group, so three decimals are the most there are.
const CODES_BY_DECIMALS: readonly (readonly [decimals: 0 | 2 | 3, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
     CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
     HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT
     MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
     SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
     USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
]

// A map and not an object, so that `constructor` and the like are no currencies.
const DECIMALS: ReadonlyMap<string, 0 | 2 | 3> = new Map(
  CODES_BY_DECIMALS.flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map((code) => [code, decimals] as const),
  ),
)

export const CURRENCY_CODES: readonly string[] = Object.freeze([...DECIMALS.keys()].sort())

export function parseCurrency(code: string): CurrencyCode | null {
  return DECIMALS.has(code) ? (code as CurrencyCode) : null
}

export function decimalsOf(currency: CurrencyCode): 0 | 2 | 3 {
  const decimals = DECIMALS.get(currency)
  // Guessing would move the decimal point of somebody's money.
  if (decimals === undefined) throw new RangeError(`not a currency: ${currency}`)
  return decimals
}
