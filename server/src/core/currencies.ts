export type CurrencyCode = string & { readonly brand: 'CurrencyCode' }

// ISO 4217 as of 2026. Listed here, because a package update must never change the decimals of stored amounts.
// Without funds and units of account (BOV, CHE, CHW, CLF, COU, MXV, USN, UYI, UYW), which are not used for payments.
// CLF and UYW are the only codes with four decimals, so the maximum here is three. Also without the codes that begin
// with X but name no currency, such as those of metals and for tests.
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

// A map, because an object would contain `constructor` and other inherited keys.
const DECIMALS: ReadonlyMap<string, 0 | 2 | 3> = new Map(
  CODES_BY_DECIMALS.flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map((code) => [code, decimals] as const),
  ),
)

/** No currency has more. */
export const MAX_DECIMALS = 3

export const CURRENCY_CODES: readonly string[] = Object.freeze([...DECIMALS.keys()].sort())

export function parseCurrency(code: string): CurrencyCode | null {
  return DECIMALS.has(code) ? (code as CurrencyCode) : null
}

/** Explains why `code` is refused. */
export function currencyProblem(code: string): string {
  if (!/^[A-Z]{3}$/.test(code))
    return 'currency must be an ISO 4217 code in upper case, such as USD'
  return `currency ${code} is not known: use an ISO 4217 code, such as USD`
}

export function decimalsOf(currency: CurrencyCode): 0 | 2 | 3 {
  const decimals = DECIMALS.get(currency)
  // A default would shift the decimal point of an amount.
  if (decimals === undefined) throw new RangeError(`not a currency: ${currency}`)
  return decimals
}
