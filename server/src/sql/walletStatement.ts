import type { TimeRange } from '../core/calendar.ts'
import type { CurrencyCode } from '../core/currencies.ts'
import type { WalletNumber } from '../core/ids.ts'
import { walletAccount } from '../core/ledger.ts'
import type { Queryable } from '../database/database.ts'

type CurrencySum = {
  readonly currency: CurrencyCode
  readonly opening: bigint
  readonly moneyIn: bigint
  readonly moneyOut: bigint
}

/** For each currency, the balance at the start of a period, computed backwards from the current one, and the sums of the period. */
export async function sumWalletPeriod(
  on: Queryable,
  walletId: WalletNumber,
  { from, to }: TimeRange,
): Promise<CurrencySum[]> {
  return on.query<CurrencySum>(
    `select b.currency, (b.balance - coalesce(sum(d.delta), 0))::bigint as opening,
       coalesce(sum(d.delta) filter (where d.at < $3 and d.delta > 0), 0)::bigint as "moneyIn",
       coalesce(-sum(d.delta) filter (where d.at < $3 and d.delta < 0), 0)::bigint as "moneyOut"
     from wallet_balance b
     left join (
       select t.wallet_id, t.currency, t.at,
         case when t.debit = $4 then -t.amount else t.amount end as delta
       from wallet_transfer t
       where t.wallet_id = $1 and t.at >= $2
     ) d on d.wallet_id = b.wallet_id and d.currency = b.currency
     where b.wallet_id = $1
     group by b.currency, b.balance
     order by b.currency`,
    [walletId, from, to, walletAccount(walletId)],
  )
}
