import type { StoreList } from '@florin/contract/operator.js'
import type { PlatformBalance, PlatformBalances } from '@florin/contract/platform.js'
import type { Mode } from '@florin/server/core/ids.js'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded, PagedTable } from '../../kit/console/states.tsx'
import { type Column, RowTime, Table } from '../../kit/console/Table.tsx'
import { Money } from '../../kit/display.tsx'
import { type Pages, usePages, useResource } from '../../kit/query.ts'
import { MODES, modeWord } from '../../kit/store/payment.ts'
import { Actor } from '../Actor.tsx'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import type { LogEntry, LogEntryPage } from '../log/logEntry.ts'
import { minus } from '../numbers.ts'
import { hrefTo } from '../route.ts'
import { Payout } from './Payout.tsx'

const KINDS = ['stores', 'wallets', 'fees', 'gifts', 'external'] as const
const hasMoney = (one: PlatformBalance) => KINDS.some((kind) => Number(one[kind]) !== 0)

/** The money in the service by owner, and the payouts. */
export function BalancesPage() {
  const { say } = useLanguage()
  const resource = useResource<PlatformBalances>('balances')
  const payouts = usePages<LogEntryPage>('audit-log?action=store.payout&limit=20')
  return (
    <PageFrame
      title={say('balances')}
      actions={
        <Allowed permission="money">
          <Payout
            onDone={() => {
              resource.reload()
              payouts.reload()
            }}
          />
        </Allowed>
      }
    >
      <Loaded resource={resource} lines={4}>
        {({ balances }) =>
          balances.some(hasMoney) ? (
            MODES.map((mode) => (
              <section key={mode} className="stack" aria-label={say(modeWord(mode))}>
                <h2>{say(modeWord(mode))}</h2>
                <Table
                  label={say(modeWord(mode))}
                  rows={balances.filter((one) => one.mode === mode && hasMoney(one))}
                  empty={<p className="soft">{say('noMoney')}</p>}
                  keyOf={({ currency }) => currency}
                  columns={[
                    [say('currency'), ({ currency }) => currency],
                    ...KINDS.map(
                      (kind): Column<PlatformBalance> => [
                        say(`of_${kind}`),
                        (one: PlatformBalance) => (
                          <Money amount={one[kind]} currency={one.currency} />
                        ),
                        'end',
                      ],
                    ),
                  ]}
                />
              </section>
            ))
          ) : (
            <Empty title={say('noMoney')} />
          )
        }
      </Loaded>
      <p className="small soft">{say('externalNote')}</p>
      <h2>{say('payouts')}</h2>
      <PayoutList payouts={payouts} />
    </PageFrame>
  )
}

/** The payouts in the audit log, which has the balance before and after each. */
function PayoutList({ payouts }: { payouts: Pages<LogEntryPage> }) {
  const { say } = useLanguage()
  const stores = useResource<StoreList>('stores?limit=100')
  const storeOf = ({ subject }: LogEntry) =>
    stores.data?.stores.find(({ id }) => subject === `store:${id}`)
  return (
    <PagedTable
      list={payouts}
      rowsOf={(page) => page.entries}
      label={say('payouts')}
      keyOf={({ id }) => id}
      hrefOf={({ subject }) => hrefTo('stores', subject.replace('store:', ''), 'money')}
      empty={<Empty title={say('noPayouts')} />}
      columns={[
        [say('time'), ({ at }) => <RowTime at={at} />],
        [say('store'), (entry) => <bdi>{entry.subject_name ?? entry.subject}</bdi>],
        [say('mode'), ({ after }) => say(modeWord(after?.mode as Mode))],
        [
          say('amount'),
          (entry) => {
            const currency = storeOf(entry)?.currency
            const [before, after] = [entry.before?.balance, entry.after?.balance].map(String)
            const amount = currency && minus(currency, before!, after!)
            return amount ? <Money amount={amount} currency={currency} /> : `${before} → ${after}`
          },
          'end',
        ],
        [say('note'), ({ after }) => <bdi>{String(after?.note ?? '')}</bdi>, 'extra'],
        [say('by'), ({ actor }) => <Actor name={actor} />, 'extra'],
      ]}
    />
  )
}
