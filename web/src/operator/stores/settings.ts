import type { OperatorStore } from '@florin/contract/operator.js'
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

export const FIELDS = GROUPS.flatMap(([, names]) => names as readonly Name[])
type Name = (typeof GROUPS)[number][1][number]

/** The settings as text for input fields. Empty means none; the fee is a percentage. */
export type Form = Record<Name, string>

export function toForm(store: OperatorStore): Form {
  const entries = FIELDS.map((name) => [name, String(store[name] ?? '')] as const)
  return { ...(Object.fromEntries(entries) as Form), fee_bps: percentOf(store.fee_bps) }
}

const NULLABLE: readonly Name[] = [
  'logo',
  'min_amount',
  'max_amount',
  'daily_limit',
  'monthly_limit',
  'refund_cap_manager',
  'refund_cap_cashier',
]

/** The body for the API. Text that is not a number is sent unchanged, so that the server names the field. */
export function toBody(form: Form, names: readonly Name[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, toValue(name, form[name].trim())]))
}

function toValue(name: Name, text: string): unknown {
  if (text === '' && NULLABLE.includes(name)) return null
  if (name === 'unique_references') return text === 'true'
  const number = text === '' ? Number.NaN : Number(text)
  if (name === 'fee_bps') return Number.isFinite(number) ? Math.round(number * 100) : text
  if (name === 'expires_after_seconds') return Number.isFinite(number) ? number : text
  return text
}
