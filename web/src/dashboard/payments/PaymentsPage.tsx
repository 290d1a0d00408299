import { PageFrame } from '../../console/PageFrame.tsx'
import { Loaded } from '../../console/states.tsx'
import { Table } from '../../console/Table.tsx'
import { When } from '../../console/When.tsx'
import { Money } from '../../design/Money.tsx'
import { StatusBadge } from '../../design/StatusBadge.tsx'
import { grossOf, type Payment } from '../../people/payment.ts'
import { useSession } from '../../people/session.tsx'
import { useAsked } from '../../people/useAsked.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'

type Page = { readonly payments: readonly Payment[]; readonly next_cursor: string | null }

export function PaymentsPage() {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const { mode, hrefTo } = useDashboardPlace()
  const asked = useAsked<Page>(`${mode}/payments`)
  return (
    <PageFrame title={say('payments')}>
      <Loaded asked={asked}>
        {({ payments }) => (
          <Table
            label={say('payments')}
            rows={payments}
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
                title: say('amount'),
                isEnd: true,
                cell: (payment) => (
                  <Money amount={grossOf(payment)} currency={payment.currency} locale={locale} />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </PageFrame>
  )
}
