import { parseTime, wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import type { Activity, ActivityPosition } from '../../sql/wallets.ts'

/** A transfer as its wallet sees it. The amount is negative if money left `own`, the account of the wallet. */
export function activityView(activity: Activity, own: string) {
  const amount = activity.debit === own ? -activity.amount : activity.amount
  return {
    at: wireTime(activity.at),
    kind: activity.kind,
    amount: formatMinor(amount, activity.currency),
    currency: activity.currency,
    reference: activity.reference,
    store: activity.storeName,
    note: activity.note,
  }
}

export const formatActivityPosition = ({ at, reference, kind }: ActivityPosition) =>
  `${at.toISOString()}~${reference}~${kind}`

export function parseActivityPosition(cursor: string): ActivityPosition | null {
  const match = /^([0-9TZ:.-]{20,30})~([a-z0-9_]{1,40})~([a-z_]{1,20})$/.exec(cursor)
  const at = match && parseTime(match[1]!)
  return at && match ? { at, reference: match[2]!, kind: match[3]! } : null
}
