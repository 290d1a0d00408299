import type { PaymentPreview } from '@florin/contract/wallet.js'
import type { CodeProblem } from './codes.ts'

/** Why a payment can't be made or a page can't be shown. Each reason has its own text. */
export type Refusal =
  | CodeProblem
  | 'insufficientBalance'
  | 'failedForBalance'
  | 'expired'
  | 'paidByYou'
  | 'paidByOther'
  | 'failed'
  | 'refunded'
  | 'suspended'
  | 'locked'
  | 'pinLocked'
  | 'tooManyFailures'
  | 'paymentUnknown'
  | 'linkUnknown'
  | 'linkPaused'
  | 'linkUsedUp'
  | 'linkExpired'
  | 'amountRefused'
  | 'limitReached'
  | 'receiptUnknown'
  | 'shopUnknown'
  | 'busy'
  | 'connectionLost'
  | 'offline'
  | 'pageFailed'
  | 'outcomeUnknown'
  | 'unexpectedError'

/** Why this wallet can't pay the previewed payment. Null if it can. */
export function refusalOf({ reason, status }: PaymentPreview): Refusal | null {
  switch (reason) {
    case null:
      return null
    case 'paid_already':
      return 'paidByYou'
    case 'payment_expired':
      return 'expired'
    case 'store_suspended':
      return 'suspended'
    case 'wallet_locked':
      return 'locked'
    case 'insufficient_balance':
      return 'insufficientBalance'
    case 'payment_not_pending':
      return status === 'failed' || status === 'refunded' ? status : 'paidByOther'
  }
}

/** Why a list or a page did not load. The page retries until it loads. */
export type LoadProblem = 'noConnection' | 'somethingFailed'

export const loadProblemOf = (status: number): LoadProblem =>
  status === 0 ? 'noConnection' : 'somethingFailed'

export const isLoadProblem = (problem: unknown): problem is LoadProblem =>
  problem === 'noConnection' || problem === 'somethingFailed'

/** The refusal that is shown in place of a page that did not load. */
export const PAGE_REFUSALS: Record<LoadProblem, Refusal> = {
  noConnection: 'offline',
  somethingFailed: 'pageFailed',
}

const BY_STATUS: Record<number, Refusal> = {
  0: 'connectionLost',
  400: 'wrongDigit',
  402: 'failedForBalance',
  404: 'paymentUnknown',
  410: 'expired',
  429: 'tooManyFailures',
  503: 'busy',
}

export const refusalOfStatus = (status: number): Refusal => BY_STATUS[status] ?? 'unexpectedError'

const RETRYABLE: readonly Refusal[] = [
  'busy',
  'connectionLost',
  'unexpectedError',
  'suspended',
  'locked',
  'pinLocked',
  'limitReached',
]

/** Whether another attempt can succeed. */
export const canRetry = (refusal: Refusal) => RETRYABLE.includes(refusal)
