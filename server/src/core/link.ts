import type { LINK_STATES } from '@florin/contract/values.js'
import type { Locale } from '@florin/shared/locales.js'
import type { CurrencyCode } from './currencies.ts'
import type { LinkId, StoreAndMode } from './ids.ts'
import { formatRate, parseAmount } from './money.ts'
import { amountMessage, type Problem, type Quote, quoteWithinLimits } from './newPayment.ts'
import { isAboveLimit, type Product } from './payment.ts'
import type { Store } from './store.ts'

/** Links that can be paid, per store and mode. */
export const MAX_ACTIVE_LINKS = 10_000

export type LinkKey = StoreAndMode & { readonly linkId: LinkId }

/** A map key for a link. */
export const linkMapKey = (key: LinkKey) => `${key.storeId} ${key.mode} ${key.linkId}`

/** A validated link that has no id yet. */
export type NewLink = {
  readonly title: string
  readonly description: string | null
  /** In minor units of `currency`; null if the payer chooses. Never changes, so that a payer pays what the page shows. */
  readonly amount: bigint | null
  readonly currency: CurrencyCode
  readonly products: readonly Product[]
  /** JSON text of an object. */
  readonly payload: string | null
  readonly referenceId: string | null
  readonly referenceNote: string | null
  readonly webhookUrl: string | null
  readonly returnUrl: string | null
  /** The language of its page; null: that of the browser. */
  readonly locale: Locale | null
  readonly maxPayments: number | null
  readonly expiresAt: Date | null
}

/** An invitation to pay a store. Each payer makes a payment of their own. */
export type Link = LinkKey &
  NewLink & {
    readonly active: boolean
    readonly createdAt: Date
    /** The payments, including those refunded later, and their gross in the currency of the store. */
    readonly paidCount: number
    readonly paidTotal: bigint
  }

export type LinkState = (typeof LINK_STATES)[number]

export function linkStateOf(link: Link, at: Date): LinkState {
  if (link.expiresAt !== null && link.expiresAt <= at) return 'expired'
  if (link.maxPayments !== null && link.paidCount >= link.maxPayments) return 'used_up'
  return link.active ? 'active' : 'paused'
}

export const linkUrl = (linkId: string, publicUrl: string) => `${publicUrl}/link/${linkId}`

// ── Paying ──────────────────────────────────────────────────────────────────────────────────────

/** Why a link can't be paid now, whatever the amount. */
export type LinkRefusal =
  | 'wallet_locked'
  | 'link_unknown'
  | 'link_expired'
  | 'link_used_up'
  | 'link_inactive'
  | 'store_suspended'

export type PayLinkRefusal =
  | LinkRefusal
  | 'donation_malformed'
  | 'donation_not_covered'
  | 'pin_needed'
  | 'link_not_covered'

export type PayLinkDecision =
  | { readonly kind: 'pay'; readonly quote: Quote; readonly donation: bigint }
  | { readonly kind: 'invalid'; readonly problem: Problem }
  | { readonly kind: 'refuse'; readonly reason: PayLinkRefusal }

type LinkInput = {
  readonly link: Link | null
  readonly store: Store
  /** Locked by an operator. */
  readonly isWalletLocked: boolean
  /** The store requires unique references, and another payment has the link's. */
  readonly isReferenceTaken: boolean
  readonly at: Date
}

type PayLinkInput = LinkInput & {
  /** From the currency of the link to that of the store; null if there is none. */
  readonly rate: bigint | null
  /** The JSON numbers that the payer sent, if any. */
  readonly amount: unknown
  readonly donation: unknown
  /** The rate that the payer saw, if the request contains it. */
  readonly seenRate: string | undefined
  readonly balance: bigint
  /** A total above it needs the PIN. Null without a limit, and once the PIN is verified. */
  readonly pinLimit: bigint | null
}

export function linkRefusalOf(input: LinkInput): LinkRefusal | null {
  const { link, store, at } = input
  if (input.isWalletLocked) return 'wallet_locked'
  if (link === null) return 'link_unknown'
  const state = linkStateOf(link, at)
  if (state === 'expired') return 'link_expired'
  if (state === 'used_up' || input.isReferenceTaken) return 'link_used_up'
  if (state === 'paused') return 'link_inactive'
  return store.suspended ? 'store_suspended' : null
}

/** Paying creates the payment, so a refusal stores nothing. The caller checks the limits of day and month afterwards. */
export function decidePayLink(input: PayLinkInput): PayLinkDecision {
  const { link, store } = input
  const refusal = linkRefusalOf(input)
  if (refusal !== null) return refuse(refusal)
  const quote = quoteLink(link!, store, input)
  if ('field' in quote) return { kind: 'invalid', problem: quote }
  if (input.seenRate !== undefined && input.seenRate !== formatRate(quote.rate)) {
    const message = `conversion_rate is now ${formatRate(quote.rate)}. Preview the link again.`
    return { kind: 'invalid', problem: { field: 'conversion_rate', message } }
  }

  const donation = input.donation === undefined ? 0n : parseAmount(input.donation, store.currency)
  if (typeof donation !== 'bigint') return refuse('donation_malformed')
  if (isAboveLimit(quote.gross + donation, input.pinLimit)) return refuse('pin_needed')
  if (quote.gross > input.balance) return refuse('link_not_covered')
  if (quote.gross + donation > input.balance) return refuse('donation_not_covered')
  return { kind: 'pay', quote, donation }
}

/** Quotes a payment of the link at the current rate. Returns a problem if the store can't take the amount. */
export function quoteLink(
  link: Link,
  store: Store,
  { rate, amount }: Pick<PayLinkInput, 'rate' | 'amount'>,
): Quote | Problem {
  const amountProblem = (message: string) => ({ field: 'amount', message: `amount ${message}` })
  if (link.amount !== null && amount !== undefined) return amountProblem('is set by this link')
  if (link.amount === null && amount === undefined) return amountProblem('is required')
  const minor = link.amount ?? parseAmount(amount, link.currency)
  if (typeof minor !== 'bigint') return amountProblem(amountMessage(minor, link.currency))
  if (rate === null)
    return amountProblem(`cannot be converted from ${link.currency} to ${store.currency}`)
  const quoted = quoteWithinLimits(store, minor, link.currency, rate)
  return 'problem' in quoted ? { field: 'amount', message: quoted.problem } : quoted
}

function refuse(reason: PayLinkRefusal): PayLinkDecision {
  return { kind: 'refuse', reason }
}
