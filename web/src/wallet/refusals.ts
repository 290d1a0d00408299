import type { PaymentPreview } from '@florin/contract/wallet.js'
import type { CodeProblem } from './codes.ts'

/** Why a payment can't be made or a page can't be shown. Each reason has its own text. */
export type Refusal =
  | CodeProblem
  | 'tooLittle'
  | 'failedNow'
  | 'expired'
  | 'paidByYou'
  | 'paidByOther'
  | 'failed'
  | 'refunded'
  | 'suspended'
  | 'locked'
  | 'pinLocked'
  | 'tooMany'
  | 'unknown'
  | 'linkUnknown'
  | 'linkPaused'
  | 'linkUsedUp'
  | 'linkExpired'
  | 'amountRefused'
  | 'limitReached'
  | 'unknownReceipt'
  | 'shopUnknown'
  | 'busy'
  | 'lost'
  | 'offline'
  | 'unsure'
  | 'broken'

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
      return 'tooLittle'
    case 'payment_not_pending':
      return status === 'failed' || status === 'refunded' ? status : 'paidByOther'
  }
}

/** Why a list or a page did not load. The page retries until it loads. */
export type LoadProblem = 'noConnection' | 'somethingFailed'

export const loadProblemOf = (status: number): LoadProblem =>
  status === 0 ? 'noConnection' : 'somethingFailed'

export const isLoadProblem = (problem: string | null): problem is LoadProblem =>
  problem === 'noConnection' || problem === 'somethingFailed'

const BY_STATUS: Record<number, Refusal> = {
  0: 'lost',
  400: 'wrongDigit',
  402: 'failedNow',
  404: 'unknown',
  410: 'expired',
  429: 'tooMany',
  503: 'busy',
}

export const refusalOfStatus = (status: number): Refusal => BY_STATUS[status] ?? 'broken'

/** Refusals after which another attempt can succeed. */
export const isTemporary = (refusal: Refusal) =>
  ['busy', 'lost', 'broken', 'suspended', 'locked', 'pinLocked', 'limitReached'].includes(refusal)
