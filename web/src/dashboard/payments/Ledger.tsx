import type { PaymentLedger } from '@florin/contract/overview.js'
import { Loaded } from '../../kit/console/states.tsx'
import { RowTime, Table } from '../../kit/console/Table.tsx'
import { Money } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

/** The transfers of the payment. */
export function Ledger({ path }: { path: string }) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const resource = useResource<PaymentLedger>(path)
  return (
    <section className="section" aria-label={translate('ledger')}>
      <h2>{translate('ledger')}</h2>
      <Loaded resource={resource} lines={2}>
        {({ lines }) => (
          <Table
            empty={<p className="soft">{translate('noLedger')}</p>}
            label={translate('ledger')}
            rows={lines}
            keyOf={({ kind }) => kind}
            columns={[
              [translate('movement'), ({ kind }) => translate(`${kind}Line`)],
              [translate('from'), ({ from }) => translate(`${from}Account`)],
              [translate('to'), ({ to }) => translate(`${to}Account`)],
              [
                translate('time'),
                ({ at }) => <RowTime at={at} timeZone={account.store.time_zone} />,
                'extra',
              ],
              [
                translate('amount'),
                ({ amount, currency }) => <Money amount={amount} currency={currency} />,
                'end',
              ],
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
