import type { Activity as ActivityPage, ActivityQuery } from '@florin/contract/walletActivity.js'
import type { FastifyReply } from 'fastify'
import { parseTime, wireTime } from '../../core/calendar.ts'
import type { Mode, StoreId, WalletNumber } from '../../core/ids.ts'
import { walletAccount } from '../../core/ledger.ts'
import { formatMinor } from '../../core/money.ts'
import { logoPathOf } from '../../core/paymentView.ts'
import { type PayerActivity, readActivityPage } from '../../ops/walletActivity.ts'
import type { Activity, ActivityPosition } from '../../sql/wallets.ts'
import { pageOf, pageQuery } from './paging.ts'
import { refuseInvalid, succeed } from './replies.ts'
import type { Call } from './route.ts'

type ActivityCall = Pick<
  Call<unknown, { query: ActivityQuery; data: ActivityPage }>,
  'service' | 'query' | 'reply'
>

/** Sends a page of the activity of a wallet. */
export async function sendActivity(
  { service, query, reply }: ActivityCall,
  { walletId, mode }: { readonly walletId: WalletNumber; readonly mode: Mode },
): Promise<FastifyReply> {
  const { limit, cursor, problems } = pageQuery(query)
  const before = cursor(parseActivityPosition)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const storeId = (query.store_id ?? null) as StoreId | null
  const page = { walletId, mode, storeId, before, limit: limit + 1 }
  const { activity: rows, cutoff } = await readActivityPage(service.database, page)
  const { items, nextCursor } = pageOf(rows, limit, formatActivityPosition)
  const account = walletAccount(walletId)
  const { publicUrl } = service.config
  return succeed(reply, 'Activity', {
    activity: items.map((activity) => walletActivityView(activity, account, publicUrl)),
    next_cursor: nextCursor,
    archived_before: cutoff && wireTime(cutoff),
  })
}

/** A transfer of a wallet. The amount is negative if money left `account`, the account of the wallet. */
export function activityView(activity: Activity, account: string) {
  const amount = activity.debit === account ? -activity.amount : activity.amount
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

/** A transfer as the payer sees it: `activityView` with the logo of the store and the fee of a refund. */
export function walletActivityView(activity: PayerActivity, account: string, publicUrl: string) {
  const { storeId, storeLogo: logo, refundFee, currency } = activity
  return {
    ...activityView(activity, account),
    store_id: storeId,
    store_logo: storeId && `${publicUrl}${logoPathOf({ storeId, logo })}`,
    refund_fee: refundFee === null ? null : formatMinor(refundFee, currency),
  }
}

export const formatActivityPosition = ({ at, reference, kind }: ActivityPosition) =>
  `${at.toISOString()}~${reference}~${kind}`

export function parseActivityPosition(cursor: string): ActivityPosition | null {
  const match = /^([0-9TZ:.-]{20,30})~([a-z0-9_]{1,40})~([a-z_]{1,20})$/.exec(cursor)
  const at = match && parseTime(match[1]!)
  return at && match ? { at, reference: match[2]!, kind: match[3]! } : null
}
