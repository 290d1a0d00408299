import { CURRENCY_CODES } from '@florin/server/core/currencies.js'
import type { Locale } from '@florin/shared/locales.js'
import type { Check } from './checks.ts'
import { Select } from './controls.tsx'
import { useCommonLanguage } from './language.tsx'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  name?: string
  help?: string
  isDisabled?: boolean
  check?: Check
}

/** All currencies with their names, by code, so that typing a code finds it. */
export function CurrencySelect(props: Props) {
  const { translate, locale } = useCommonLanguage()
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  return (
    <Select
      {...props}
      placeholder={translate('choose')}
      options={CURRENCY_CODES.map((code) => [code, `${code} · ${names.of(code)}`] as const)}
    />
  )
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
/** Cached, because reading the offset of a zone is slow, and there are over four hundred. */
const offsets = new Map<string, string>()

function offsetOf(timeZone: string, locale: Locale): string {
  const key = `${locale} ${timeZone}`
  const cached = offsets.get(key)
  if (cached !== undefined) return cached
  const options = { timeZone, timeZoneName: 'shortOffset', numberingSystem: 'latn' } as const
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts()
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  offsets.set(key, offset)
  return offset
}

/** All time zones with their current offset. */
export function TimeZoneSelect(props: Props) {
  const { locale } = useCommonLanguage()
  const zones = ZONES.includes(props.value) ? ZONES : [props.value, ...ZONES]
  return (
    <Select
      {...props}
      options={zones.map((zone) => {
        const name = zone.replaceAll('_', ' ')
        return [zone, zone === 'UTC' ? name : `${name} (${offsetOf(zone, locale)})`] as const
      })}
    />
  )
}
