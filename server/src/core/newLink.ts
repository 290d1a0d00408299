import { localeOf } from '@florin/shared/locales.js'
import { LATEST_TIME, parseTime } from './calendar.ts'
import type { NewLink } from './link.ts'
import {
  type Checks,
  type CreateFields,
  checkExtras,
  createChecks,
  type Problem,
  parseProducts,
  payloadText,
  validateAmount,
  validateCurrency,
} from './newPayment.ts'
import type { Store } from './store.ts'
import type { AddressRules } from './webhookUrl.ts'

/** The fields of a new link. The values of those that passed the schema are validated here. */
type LinkFields = Omit<CreateFields, 'client' | 'expires_in'> & {
  readonly title?: string
  readonly description?: string | null
  readonly locale?: string | null
  readonly max_payments?: number | null
  readonly expires_at?: string | null
}

/** The fields of a change. Absent ones stay as they are, and null removes the value. */
type LinkChangeFields = Omit<LinkFields, 'amount' | 'currency' | 'products'> & {
  readonly active?: boolean
}

type LinkTerms = {
  readonly store: Store
  /** The exchange rate from the currency of the link to that of the store; null if there is none. */
  readonly rate: bigint | null
  readonly webhookRules: AddressRules
  readonly now: Date
}

/** The fields that can't be changed, because a payer may be looking at them. */
const FIXED_LINK_FIELDS = ['amount', 'currency', 'products'] as const

/** Validates the values of a new link and returns all problems. Skips `invalidFields`, which failed the schema. */
export function validateLink(
  fields: LinkFields,
  terms: LinkTerms,
  invalidFields: ReadonlySet<string>,
): { readonly link: NewLink | null; readonly problems: readonly Problem[] } {
  const checks = createChecks(invalidFields)
  const { isValid, problems } = checks
  const { currency, rate } = validateCurrency(fields.currency, terms, checks)
  const hasAmount = fields.amount !== undefined && fields.amount !== null
  let amount: bigint | null = null
  if (hasAmount && isValid('amount')) {
    const quoted = validateAmount(fields.amount, currency, rate, terms.store)
    if (quoted !== null && 'field' in quoted) problems.push(quoted)
    else amount = quoted?.requestAmount ?? null
  }
  const products = parseProducts(fields.products, currency, checks)
  const changeable = validateChangeable(fields, terms, checks)
  if (currency === null || problems.length > 0 || invalidFields.size > 0) {
    return { link: null, problems }
  }
  return { link: { ...DEFAULTS, ...changeable, amount, currency, products }, problems }
}

const DEFAULTS = {
  title: '',
  description: null,
  payload: null,
  referenceId: null,
  referenceNote: null,
  webhookUrl: null,
  returnUrl: null,
  locale: null,
  maxPayments: null,
  expiresAt: null,
}

export type LinkChanges = Partial<Omit<NewLink, 'amount' | 'currency' | 'products'>> & {
  readonly active?: boolean
}

/** Like `validateLink`, for a change. */
export function validateLinkChange(
  fields: LinkChangeFields,
  terms: Omit<LinkTerms, 'rate'>,
  invalidFields: ReadonlySet<string>,
): { readonly changes: LinkChanges; readonly problems: readonly Problem[] } {
  const checks = createChecks(invalidFields)
  for (const field of FIXED_LINK_FIELDS) {
    if (field in fields) {
      checks.add(field, `${field} of a link cannot be changed. Create a new link.`)
    }
  }
  const changes = validateChangeable(fields, terms, checks)
  const { active } = fields
  return {
    changes: active === undefined ? changes : { ...changes, active },
    problems: checks.problems,
  }
}

/** Validates the fields that can be changed later, except `active`. Only the given fields are in the result. */
function validateChangeable(
  fields: LinkChangeFields,
  { webhookRules, now }: Pick<LinkTerms, 'webhookRules' | 'now'>,
  checks: Checks,
): LinkChanges {
  checkExtras(fields, webhookRules, checks)
  const changes: { -readonly [Field in keyof LinkChanges]: LinkChanges[Field] } = {}
  if (fields.title !== undefined) changes.title = fields.title
  if (fields.description !== undefined) changes.description = fields.description
  if (fields.payload !== undefined) changes.payload = payloadText(fields.payload)
  if (fields.reference_id !== undefined) changes.referenceId = fields.reference_id
  if (fields.reference_note !== undefined) changes.referenceNote = fields.reference_note
  if (fields.webhook_url !== undefined) changes.webhookUrl = fields.webhook_url
  if (fields.return_url !== undefined) changes.returnUrl = fields.return_url
  if (fields.locale !== undefined) {
    changes.locale = typeof fields.locale === 'string' ? localeOf(fields.locale) : null
  }
  if (fields.max_payments !== undefined) changes.maxPayments = fields.max_payments
  if (fields.expires_at !== undefined) {
    const at = fields.expires_at === null ? null : parseExpiry(fields.expires_at)
    if (checks.isValid('expires_at') && at !== null && !(at > now && at <= LATEST_TIME)) {
      checks.add(
        'expires_at',
        'expires_at must be a time in the future, such as 2030-01-31 08:00:00',
      )
    }
    changes.expiresAt = at
  }
  return changes
}

/** Returns an invalid date, which is not in the future, if the text is not a time. */
const parseExpiry = (text: unknown): Date =>
  (typeof text === 'string' ? parseTime(text) : null) ?? new Date(Number.NaN)
