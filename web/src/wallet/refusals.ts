import type { Preview } from './api.ts'
import type { CodeProblem } from './codes.ts'

/** Everything that can stand between a payer and a receipt; each has words of its own. */
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
  | 'tooMany'
  | 'unknown'
  | 'busy'
  | 'lost'
  | 'unsure'
  | 'broken'

/** Why this wallet cannot pay what the preview shows; null where it can. */
export function refusalOf({ reason, status }: Preview): Refusal | null {
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

/** Those that may be over the next time that one tries. */
export const mayPass = (refusal: Refusal) =>
  ['busy', 'lost', 'broken', 'suspended', 'locked'].includes(refusal)
