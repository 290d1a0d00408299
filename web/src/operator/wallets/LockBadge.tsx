import { parseTime } from '../../kit/time.ts'
import { Badge } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import type { Wallet } from '../types.ts'

/** Only an operator's lock lasts that long. */
export const isLockedByOperator = ({ locked_until: until }: Wallet) =>
  until?.startsWith('9999') === true

export const isLocked = ({ locked_until: until }: Wallet) =>
  until !== null && parseTime(until) > new Date()

export function LockBadge({ wallet }: { wallet: Wallet }) {
  const { say } = useLanguage()
  if (wallet.erased_at !== null) return <Badge tone="warn" word={say('isErased')} />
  if (isLockedByOperator(wallet)) return <Badge tone="bad" word={say('lockedByOperator')} />
  return isLocked(wallet) ? (
    <Badge tone="warn" word={say('lockedByPins')} />
  ) : (
    <Badge tone="good" word={say('active')} />
  )
}
