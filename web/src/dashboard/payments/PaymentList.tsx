import './payments.css'
import { timeText } from '@florin/shared/time.js'
import { Copy } from '../../kit/console/Copy.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Failed, Loading } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Button } from '../../kit/controls.tsx'
import { Money, StatusBadge } from '../../kit/display.tsx'
import { grossOf } from '../../kit/store/payment.ts'
import { useSession } from '../../kit/store/session.tsx'
import { parseTime } from '../../kit/time.ts'
import { curlToCreate } from '../curl.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { type Details, payerOf } from '../types.ts'
import { FilterBar } from './FilterBar.tsx'
import { FILTERS, isFiltered, listQuery } from './filters.ts'
import { usePaymentList } from './usePaymentList.ts'

export function PaymentList() {
  const { say } = useLanguage()
  const { who } = useSession()
  const { mode, query } = useDashboardPlace()
  const asked = listQuery(query, who.store.time_zone)
  const list = usePaymentList(`${mode}/payments?${asked}`)
  const { found, isBusy, problem } = list
  return (
    <PageFrame title={say('payments')}>
      <FilterBar />
      {problem && <Failed problem={problem} again={list.more} />}
      {found === null && isBusy && <Loading lines={8} />}
      {found !== null && found.rows.length > 0 && <PaymentTable rows={found.rows} />}
      {found !== null && found.rows.length === 0 && !isBusy && found.cursor === null && (
        <NothingFound />
      )}
      {found !== null && <Progress list={list} />}
    </PageFrame>
  )
}

/** Long searches tell how far back they have looked, and can be stopped and taken up again. */
function Progress({ list }: { list: ReturnType<typeof usePaymentList> }) {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const { query } = useDashboardPlace()
  const { found, isBusy } = list
  const until = found?.lookedUntil
  if (!until || found === null) return null
  const time = timeText(parseTime(until), { locale, timeZone: who.store.time_zone })
  return (
    <div className="progress">
      {isFiltered(query) && (
        <p className="small soft" role="status">
          {isBusy ? say('lookingBack', { time }) : say('lookedBack', { time })}
        </p>
      )}
      {isBusy && isFiltered(query) ? (
        <Button look="quiet" onClick={list.stop}>
          {say('stop')}
        </Button>
      ) : (
        <Button look="quiet" isBusy={isBusy} onClick={list.more}>
          {isFiltered(query) ? say('lookFurther') : say('showMore')}
        </Button>
      )}
    </div>
  )
}

function NothingFound() {
  const { say } = useLanguage()
  const { query, setQuery } = useDashboardPlace()
  if (!isFiltered(query)) return <FirstPayment />
  const clear = () => setQuery(Object.fromEntries(FILTERS.map((name) => [name, null])))
  return (
    <Empty title={say('nothingFound')}>
      <p className="soft">{query.has('search') ? say('searchHelp') : say('nothingFoundNote')}</p>
      <Button look="quiet" onClick={clear}>
        {say('clearFilters')}
      </Button>
    </Empty>
  )
}

/** Before there is any: how to get the first one. */
export function FirstPayment() {
  const { say } = useLanguage()
  const { who } = useSession()
  const curl = curlToCreate(who.store.currency)
  return (
    <Empty title={say('noPayments')}>
      <p className="soft">{say('noPaymentsNote')}</p>
      <pre className="code" dir="ltr">
        <code>{curl}</code>
      </pre>
      <Copy text={curl} />
    </Empty>
  )
}

export function PaymentTable({ rows }: { rows: readonly Details[] }) {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const { hrefTo } = useDashboardPlace()
  return (
    <Table
      label={say('payments')}
      rows={rows}
      keyOf={(payment) => payment.payment_id}
      hrefOf={(payment) => hrefTo('payments', payment.payment_id)}
      columns={[
        {
          title: say('time'),
          cell: ({ created_at: at }) => <When at={at} timeZone={who.store.time_zone} />,
        },
        {
          title: say('status'),
          cell: ({ status }) => <StatusBadge status={status} word={say(status)} />,
        },
        {
          title: say('reference'),
          isExtra: true,
          cell: ({ reference }) => <bdi>{reference.id ?? reference.note}</bdi>,
        },
        {
          title: say('payer'),
          isExtra: true,
          cell: (payment) => <bdi>{payerOf(payment)}</bdi>,
        },
        {
          title: say('amount'),
          isEnd: true,
          cell: (payment) => (
            <Money amount={grossOf(payment)} currency={payment.currency} locale={locale} />
          ),
        },
      ]}
    />
  )
}
