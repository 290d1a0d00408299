import { Table } from '../../kit/console/Table.tsx'
import { When } from '../../kit/console/When.tsx'
import { Money } from '../../kit/Money.tsx'
import { StatusBadge } from '../../kit/StatusBadge.tsx'
import { grossOf } from '../../kit/store/payment.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { type Details, payerOf } from './details.ts'

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
