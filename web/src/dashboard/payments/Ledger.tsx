import { Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { When } from '../../kit/console/When.tsx'
import { Money } from '../../kit/Money.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useAsked } from '../../kit/store/useResource.ts'
import { useLanguage } from '../language.ts'
import type { LedgerLine } from './details.ts'

/** Every movement of money that belongs to the payment. */
export function Ledger({ path }: { path: string }) {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const asked = useAsked<{ readonly lines: readonly LedgerLine[] }>(path)
  return (
    <section className="section" aria-label={say('ledger')}>
      <h2>{say('ledger')}</h2>
      <Loaded asked={asked} lines={2}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p className="soft">{say('noLedger')}</p>
          ) : (
            <Table
              label={say('ledger')}
              rows={lines}
              keyOf={({ kind }) => kind}
              columns={[
                { title: say('movement'), cell: ({ kind }) => say(`${kind}Line`) },
                { title: say('from'), cell: ({ from }) => say(`${from}Account`) },
                { title: say('to'), cell: ({ to }) => say(`${to}Account`) },
                {
                  title: say('time'),
                  isExtra: true,
                  cell: ({ at }) => <When at={at} timeZone={who.store.time_zone} />,
                },
                {
                  title: say('amount'),
                  isEnd: true,
                  cell: ({ amount, currency }) => (
                    <Money amount={amount} currency={currency} locale={locale} />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  )
}
