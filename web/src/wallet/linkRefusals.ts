import type { Wallet } from '@florin/contract/wallet.js'
import type { LinkPreview } from '@florin/contract/walletLinks.js'
import { type Refusal, refusalOfStatus } from './refusals.ts'

const BY_REASON = {
  link_expired: 'linkExpired',
  link_used_up: 'linkUsedUp',
  link_inactive: 'linkPaused',
  store_suspended: 'suspended',
  wallet_locked: 'locked',
  amount_refused: 'amountRefused',
  limit_reached: 'limitReached',
  insufficient_balance: 'insufficientBalance',
} as const satisfies Record<NonNullable<LinkPreview['reason']>, Refusal>

/** Why this wallet can't pay the previewed link. Null if it can. */
export const linkRefusalOf = ({ reason }: LinkPreview): Refusal | null =>
  reason && BY_REASON[reason]

/** Call it with a 409 only for a preview, where it means that the link belongs to the other mode. */
export function linkRefusalOfStatus(status: number, mode: Wallet['mode']): Refusal {
  if (status === 402) return 'insufficientBalance'
  if (status === 404) return 'linkUnknown'
  if (status === 409) return mode === 'live' ? 'sandboxCode' : 'liveCode'
  return status === 410 ? 'linkExpired' : refusalOfStatus(status)
}
