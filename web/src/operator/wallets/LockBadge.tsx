import type { Wallet } from '@florin/contract/wallet.js'
import { Badge } from '../../kit/console/actions.tsx'
import { parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'

/** Locks by operators have no end. Locks after wrong PINs expire. */
export const isLockedByOperator = ({ locked_until: until }: Wallet) =>
  until?.startsWith('9999') === true

export const isLocked = ({ locked_until: until }: Wallet) =>
  until !== null && parseTime(until) > new Date()

/**
 * Whether a wallet is the built-in sandbox wallet of a store. It has no PIN but can pay. The phone number alone is not
 * enough: a payer's own number can also begin with +999.
 */
export const isBuiltIn = ({ mode, email, phone }: Wallet) =>
  mode === 'sandbox' && phone.startsWith('+999') && /^sandbox-payer-\d+@example\.com$/.test(email)

export function LockBadge({ wallet }: { wallet: Wallet }) {
  const { translate } = useLanguage()
  if (wallet.erased_at !== null) return <Badge tone="warn" text={translate('isErased')} />
  if (isLockedByOperator(wallet)) return <Badge tone="bad" text={translate('lockedByOperator')} />
  if (isLocked(wallet)) return <Badge tone="warn" text={translate('lockedByPins')} />
  return wallet.activated || isBuiltIn(wallet) ? (
    <Badge tone="good" text={translate('active')} />
  ) : (
    <Badge tone="wait" text={translate('notActivated')} />
  )
}
