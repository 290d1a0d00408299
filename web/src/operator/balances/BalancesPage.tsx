import type { PlatformBalance, PlatformBalances } from '@florin/contract/platform.js'
import type { Mode } from '@florin/server/core/ids.js'
import { addAmounts } from '../../kit/amounts.ts'
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
import { hrefTo } from '../route.ts'
import { Payout } from './Payout.tsx'

const KINDS = ['stores', 'wallets', 'fees', 'gifts', 'external'] as const
const hasMoney = (balance: PlatformBalance) => KINDS.some((kind) => Number(balance[kind]) !== 0)

/** The money in the service by owner, and the payouts. */
export function BalancesPage() {
  const { translate } = useLanguage()
  const resource = useResource<PlatformBalances>('balances')
  const payouts = usePages<LogEntryPage>('audit-log?action=store.payout&limit=20')
  return (
    <PageFrame
      title={translate('balances')}
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
            <>
              {MODES.map((mode) => (
                <section key={mode} className="stack" aria-label={translate(modeWord(mode))}>
                  <h2>{translate(modeWord(mode))}</h2>
                  <Table
                    label={translate(modeWord(mode))}
                    rows={balances.filter((balance) => balance.mode === mode && hasMoney(balance))}
                    empty={<p className="soft">{translate('noMoney')}</p>}
                    keyOf={({ currency }) => currency}
                    columns={[
                      [translate('currency'), ({ currency }) => currency],
                      ...KINDS.map(
                        (kind): Column<PlatformBalance> => [
                          translate(`of_${kind}`),
                          (balance: PlatformBalance) => (
                            <Money amount={balance[kind]} currency={balance.currency} />
                          ),
                          'end',
                        ],
                      ),
                    ]}
                  />
                </section>
              ))}
              <p className="small soft">{translate('externalNote')}</p>
            </>
          ) : (
            <Empty title={translate('noBalances')} />
          )
        }
      </Loaded>
      <h2>{translate('payouts')}</h2>
      <PayoutList payouts={payouts} />
    </PageFrame>
  )
}

/** The payouts in the audit log, which has the balance before and after each. */
function PayoutList({ payouts }: { payouts: Pages<LogEntryPage> }) {
  const { translate } = useLanguage()
  return (
    <PagedTable
      list={payouts}
      rowsOf={(page) => page.entries}
      label={translate('payouts')}
      keyOf={({ id }) => id}
      hrefOf={({ subject }) => hrefTo('stores', storeIdOf(subject), 'money')}
      empty={<Empty title={translate('noPayouts')} />}
      columns={[
        [translate('time'), ({ at }) => <RowTime at={at} />],
        [translate('store'), (entry) => <bdi>{entry.subject_name ?? entry.subject}</bdi>],
        [translate('mode'), ({ after }) => translate(modeWord(after?.mode as Mode))],
        [translate('amount'), (entry) => <PayoutAmount entry={entry} />, 'end'],
        [translate('note'), ({ after }) => <bdi>{String(after?.note ?? '')}</bdi>, 'extra'],
        [translate('by'), ({ actor }) => <Actor name={actor} />, 'extra'],
      ]}
    />
  )
}

const storeIdOf = (subject: string) => subject.replace('store:', '')

/** The entry has the balances, and the amount is their difference. */
function PayoutAmount({ entry }: { entry: LogEntry }) {
  const [before, after] = [String(entry.before?.balance), String(entry.after?.balance)]
  const currency = entry.subject_currency
  if (currency === null) return `${before} → ${after}`
  return <Money amount={addAmounts(currency, before, `-${after}`)} currency={currency} />
}
