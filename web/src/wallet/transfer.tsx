import type { ActivityEntry } from '@florin/contract/walletActivity.js'
import type { IconName } from '@florin/shared/icons.js'
import { Money } from '../kit/display.tsx'

export const KINDS = {
  payment: { icon: 'completed', word: 'kindPayment' },
  donation: { icon: 'plus', word: 'kindDonation' },
  refund: { icon: 'refunded', word: 'kindRefund' },
  top_up: { icon: 'wallet', word: 'kindTopUp' },
  withdrawal: { icon: 'wallet', word: 'kindWithdrawal' },
} as const satisfies Record<ActivityEntry['kind'], { icon: IconName; word: string }>

/** An amount with its sign. Incoming money is also green. */
export function SignedAmount({ amount, currency, isLarge }: ActivityEntry & { isLarge?: boolean }) {
  const isIncoming = !amount.startsWith('-')
  return (
    <span className={isIncoming ? 'signed signed-in' : 'signed'}>
      {isIncoming ? '+' : '\u2212'}
      <Money amount={amount.replace('-', '')} currency={currency} isLarge={isLarge === true} />
    </span>
  )
}

export const Reference = ({ id }: { id: string }) => <span className="reference">{id}</span>
