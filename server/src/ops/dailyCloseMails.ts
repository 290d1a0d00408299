import { lastDays, localDay } from '../core/calendar.ts'
import type { StoreId } from '../core/ids.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/errors.ts'
import { findMailedDays, setMailedDay } from '../sql/dailyCloseMails.ts'
import { readDatabaseTime } from '../sql/locks.ts'
import { listStoresWithDailyClose } from '../sql/stores.ts'
import { type LocalDay, readCloses } from './books.ts'
import { amountText, findOwners } from './businessMails.ts'
import type { MailContext } from './mail.ts'
import { findSettledUntil } from './reportTransaction.ts'

/**
 * Emails the close of yesterday to the owners of each store that wants it, once, when its figures are final. After a
 * longer stop of the service, only the last day is emailed. If a store fails, the others are still processed and the next call
 * retries it. Returns the number of stores whose close this call emailed.
 */
export async function mailDailyCloses(
  database: Database,
  options: MailContext,
  onFailure: (storeId: StoreId, error: unknown) => void,
): Promise<number> {
  if (!options.mail.isEnabled) return 0
  const at = await findSettledUntil(database)
  const now = await readDatabaseTime(database)
  const mailed = await findMailedDays(database)
  let count = 0
  for (const store of await listStoresWithDailyClose(database)) {
    const yesterday = lastDays(at, store.timeZone, 2)[1]!
    const mailedDay = mailed.get(store.storeId) ?? ''
    // If the store's time zone was changed, the last emailed day can be tomorrow. A day after that was emailed while the
    // database's clock was ahead, and doesn't count.
    const latest = localDay(lastDays(now, store.timeZone, 1)[0]!.to, store.timeZone)
    const isMailed = mailedDay >= yesterday.day && mailedDay <= latest
    if (isMailed || localDay(store.createdAt, store.timeZone) > yesterday.day) continue
    const isDone = await mailClose(database, options, store, { ...yesterday, latest }).catch(
      (error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error
        onFailure(store.storeId, error)
        return false
      },
    )
    if (isDone) count += 1
  }
  return count
}

async function mailClose(
  database: Database,
  { mail, publicUrl }: MailContext,
  store: Store,
  day: LocalDay & { readonly latest: string },
): Promise<boolean> {
  const { storeId, currency } = store
  const [close] = await readCloses(database, { storeId, mode: 'live' }, [day])
  const { payment, fee, refund, refund_fee: refundFee } = close!.sums
  const fees = fee.amount + refundFee.amount
  return database.transaction(async (tx) => {
    // Another process may have emailed it meanwhile.
    if (!(await setMailedDay(tx, storeId, day))) return false
    const owners = await findOwners(tx, store)
    const mails = owners.map(({ email, name, locale }) => {
      const amount = (minor: bigint) => amountText(minor, currency, locale)
      return {
        to: email,
        locale,
        content: {
          template: 'daily_close' as const,
          name,
          store: store.name,
          day: day.day,
          payments: payment.count,
          gross: amount(payment.amount),
          refunds: amount(refund.amount),
          fees: amount(fees),
          net: amount(payment.amount - refund.amount - fees),
          url: `${publicUrl}/dashboard#/live/balance/days`,
        },
      }
    })
    await mail.add(tx, mails, await readDatabaseTime(tx))
    return true
  })
}
