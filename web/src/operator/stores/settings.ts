import type { OperatorStore } from '@florin/contract/operator.js'
import { parseTypedAmount, parseTypedWholeNumber, toDecimal } from '../../kit/amounts.ts'
import { percentOf } from '../numbers.ts'

export const GROUPS = [
  ['profile', ['name', 'domain', 'email', 'phone', 'logo', 'time_zone']],
  ['fees', ['fee_bps', 'fee_fixed', 'refund_fee']],
  ['limits', ['min_amount', 'max_amount', 'daily_limit', 'monthly_limit']],
  [
    'rules',
    ['expires_after_seconds', 'unique_references', 'refund_cap_manager', 'refund_cap_cashier'],
  ],
] as const

export const FIELDS = GROUPS.flatMap(([, names]) => names as readonly SettingName[])
export type SettingName = (typeof GROUPS)[number][1][number]

/** The settings as text for input fields. Empty means none; `fee_bps` is a percentage. */
export type SettingTexts = Record<SettingName, string>

export function toTexts(store: OperatorStore): SettingTexts {
  const entries = FIELDS.map((name) => [name, String(store[name] ?? '')] as const)
  return { ...(Object.fromEntries(entries) as SettingTexts), fee_bps: percentOf(store.fee_bps) }
}

const AMOUNTS: readonly SettingName[] = [
  'fee_fixed',
  'refund_fee',
  'min_amount',
  'max_amount',
  'daily_limit',
  'monthly_limit',
  'refund_cap_manager',
  'refund_cap_cashier',
]

/** The body for the API, from texts that passed the checks of the form. */
export function toBody(
  texts: SettingTexts,
  names: readonly SettingName[],
  currency: string,
): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [name, toValue(name, texts[name].trim(), currency)]),
  )
}

function toValue(name: SettingName, text: string, currency: string): unknown {
  if (AMOUNTS.includes(name)) return text === '' ? null : parseTypedAmount(text, currency)
  if (name === 'logo') return text === '' ? null : text
  if (name === 'unique_references') return text === 'true'
  if (name === 'fee_bps') return Math.round(Number(toDecimal(text)) * 100)
  return name === 'expires_after_seconds' ? parseTypedWholeNumber(text) : text
}
