import type { Wallet } from '@florin/contract/wallet.js'
import { Badge } from '../../kit/console/actions.tsx'
import { parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'

/** Locks by operators have no end. Locks after wrong PINs expire. */
export const isLockedByOperator = ({ locked_until: until }: Wallet) =>
  until?.startsWith('9999') === true

export const isLocked = ({ locked_until: until }: Wallet) =>
  until !== null && parseTime(until) > new Date()

/** The sandbox wallet of a store has no PIN but can pay. No country has the code +999. */
const isBuiltIn = ({ phone }: Wallet) => phone.startsWith('+999')

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
