import type { PaymentLedger } from '@florin/contract/overview.js'
import { Loaded } from '../../kit/console/states.tsx'
import { RowTime, Table } from '../../kit/console/Table.tsx'
import { Money } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

/** The transfers of the payment. */
export function Ledger({ path }: { path: string }) {
  const { say } = useLanguage()
  const { account } = useSession()
  const resource = useResource<PaymentLedger>(path)
  return (
    <section className="section" aria-label={say('ledger')}>
      <h2>{say('ledger')}</h2>
      <Loaded resource={resource} lines={2}>
        {({ lines }) => (
          <Table
            empty={<p className="soft">{say('noLedger')}</p>}
            label={say('ledger')}
            rows={lines}
            keyOf={({ kind }) => kind}
            columns={[
              [say('movement'), ({ kind }) => say(`${kind}Line`)],
              [say('from'), ({ from }) => say(`${from}Account`)],
              [say('to'), ({ to }) => say(`${to}Account`)],
              [
                say('time'),
                ({ at }) => <RowTime at={at} timeZone={account.store.time_zone} />,
                'extra',
              ],
              [
                say('amount'),
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
