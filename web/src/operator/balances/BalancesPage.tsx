import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Money } from '../../kit/display.tsx'
import type { Mode } from '../../kit/store/payment.ts'
import { useLanguage } from '../language.ts'
import { minus } from '../numbers.ts'
import { Paged } from '../Paged.tsx'
import { hrefTo } from '../place.ts'
import { TIME_ZONE, useAsked } from '../session.ts'
import type { LogEntry, Store } from '../types.ts'
import { usePages } from '../usePages.ts'
import { Payout } from './Payout.tsx'

type Balance = {
  readonly mode: Mode
  readonly currency: string
  readonly stores: string
  readonly wallets: string
  readonly fees: string
  readonly gifts: string
  readonly external: string
}

const MODES: readonly Mode[] = ['live', 'sandbox']
const KINDS = ['stores', 'wallets', 'fees', 'gifts', 'external'] as const

/** Whose money lies here, and what was paid out. */
export function BalancesPage() {
  const { say, locale } = useLanguage()
  const asked = useAsked<{ balances: Balance[] }>('balances')
  const payouts = usePages<LogEntry, 'entries'>('audit-log?action=store.payout&limit=20', 'entries')
  return (
    <PageFrame
      title={say('balances')}
      actions={
        <Payout
          onDone={() => {
            asked.again()
            payouts.asked.again()
          }}
        />
      }
    >
      <Loaded asked={asked} lines={4}>
        {({ balances }) =>
          balances.length === 0 ? (
            <Empty title={say('noMoney')} />
          ) : (
            MODES.map((mode) => (
              <section key={mode} className="stack" aria-label={say(modeWord(mode))}>
                <h2>{say(modeWord(mode))}</h2>
                <Table
                  label={say(modeWord(mode))}
                  rows={balances.filter((one) => one.mode === mode)}
                  keyOf={({ currency }) => currency}
                  columns={[
                    { title: say('currency'), cell: ({ currency }) => currency },
                    ...KINDS.map((kind) => ({
                      title: say(`of_${kind}`),
                      isEnd: true,
                      cell: (one: Balance) => (
                        <Money amount={one[kind]} currency={one.currency} locale={locale} />
                      ),
                    })),
                  ]}
                />
              </section>
            ))
          )
        }
      </Loaded>
      <p className="small soft">{say('externalNote')}</p>
      <h2>{say('payouts')}</h2>
      <PayoutList payouts={payouts} />
    </PageFrame>
  )
}

const modeWord = (mode: Mode) => (mode === 'live' ? 'live' : 'sandboxShort')

/** From the audit log, which has every one of them with the balance before and after. */
function PayoutList({ payouts }: { payouts: ReturnType<typeof usePages<LogEntry, 'entries'>> }) {
  const { say, locale } = useLanguage()
  const stores = useAsked<{ stores: Store[] }>('stores?limit=100')
  const storeOf = ({ subject }: LogEntry) =>
    stores.data?.stores.find(({ id }) => subject === `store:${id}`)
  return (
    <Paged
      pages={payouts}
      label={say('payouts')}
      keyOf={({ id }) => id}
      hrefOf={({ subject }) => hrefTo('stores', subject.replace('store:', ''), 'money')}
      empty={<Empty title={say('noPayouts')} />}
      columns={[
        { title: say('time'), cell: ({ at }) => <When at={at} timeZone={TIME_ZONE} /> },
        {
          title: say('store'),
          cell: (entry) => <bdi>{storeOf(entry)?.name ?? entry.subject}</bdi>,
        },
        { title: say('mode'), cell: ({ after }) => say(modeWord(after?.mode as Mode)) },
        {
          title: say('amount'),
          isEnd: true,
          cell: (entry) => {
            const currency = storeOf(entry)?.currency
            const [before, after] = [entry.before?.balance, entry.after?.balance].map(String)
            const amount = currency && minus(currency, before!, after!)
            return amount ? (
              <Money amount={amount} currency={currency} locale={locale} />
            ) : (
              `${before} → ${after}`
            )
          },
        },
        {
          title: say('note'),
          isExtra: true,
          cell: ({ after }) => <bdi>{String(after?.note ?? '')}</bdi>,
        },
        { title: say('by'), isExtra: true, cell: ({ actor }) => <bdi>{actor}</bdi> },
      ]}
    />
  )
}
