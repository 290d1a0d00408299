import { percentOf } from '../numbers.ts'
import type { Store } from '../types.ts'

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

/** As it stands in the fields: texts, empty for none; the fee as a percentage. */
export type Form = Record<Name, string>

export function formOf(store: Store): Form {
  const entries = FIELDS.map((name) => [name, String(store[name] ?? '')] as const)
  return { ...(Object.fromEntries(entries) as Form), fee_bps: percentOf(store.fee_bps) }
}

const NULLABLE: readonly Name[] = [
  ...(['logo', 'min_amount', 'max_amount', 'daily_limit', 'monthly_limit'] as const),
  ...(['refund_cap_manager', 'refund_cap_cashier'] as const),
]

/** As the API takes it: what cannot be read as a number is sent as it is, to be refused by name. */
export function changesOf(form: Form, names: readonly Name[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, sent(name, form[name].trim())]))
}

function sent(name: Name, text: string): unknown {
  if (text === '' && NULLABLE.includes(name)) return null
  if (name === 'unique_references') return text === 'true'
  const number = text === '' ? Number.NaN : Number(text)
  if (name === 'fee_bps') return Number.isFinite(number) ? Math.round(number * 100) : text
  if (name === 'expires_after_seconds') return Number.isFinite(number) ? number : text
  return text
}
