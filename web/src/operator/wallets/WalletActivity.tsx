import type { Activity, ActivityEntry } from '@florin/contract/walletActivity.js'
import { Empty, PagedTable } from '../../kit/console/states.tsx'
import { RowTime, TwoLines } from '../../kit/console/Table.tsx'
import { Money, useTimeText } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../route.ts'

/** Payments, donations, refunds, top-ups and withdrawals of a wallet, newest first. */
export function WalletActivity({ path }: { path: string }) {
  const { translate } = useLanguage()
  const timeText = useTimeText()
  const list = usePages<Activity>(`${path}/activity?limit=50`)
  const last = list.pages.at(-1)
  const before = last?.next_cursor === null ? last.archived_before : null
  return (
    <>
      <PagedTable
        list={list}
        rowsOf={(page) => page.activity}
        label={translate('activity')}
        keyOf={({ reference, kind }) => `${reference} ${kind}`}
        empty={<Empty title={translate('noActivity')} />}
        columns={[
          [
            translate('action'),
            (entry) => (
              <TwoLines
                first={translate(`activity_${entry.kind}`)}
                second={entry.store ?? entry.note ?? ''}
              />
            ),
          ],
          [translate('time'), ({ at }) => <RowTime at={at} />],
          [translate('reference'), (entry) => <Reference entry={entry} />, 'extra'],
          [
            translate('amount'),
            ({ amount, currency }) => <Money amount={amount} currency={currency} />,
            'end',
          ],
        ]}
      />
      {before && (
        <p className="soft small">{translate('archivedBefore', { time: timeText(before) })}</p>
      )}
    </>
  )
}

/** A link to the payment. Top-ups and withdrawals have no page. */
function Reference({ entry: { reference } }: { entry: ActivityEntry }) {
  if (!reference.startsWith('pay_')) return <code>{reference}</code>
  return (
    <a href={hrefTo('payments', reference)}>
      <code>{reference}</code>
    </a>
  )
}
