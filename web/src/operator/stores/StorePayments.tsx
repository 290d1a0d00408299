import type { OperatorStore } from '@florin/contract/operator.js'
import type { StorePaymentList } from '@florin/contract/store.js'
import type { Mode } from '@florin/server/core/ids.js'
import { KEEP_MS, useListMemory } from '../../kit/console/listMemory.ts'
import { Segments } from '../../kit/console/Segments.tsx'
import { Empty, PagedTable } from '../../kit/console/states.tsx'
import { RowTime } from '../../kit/console/Table.tsx'
import { Select } from '../../kit/controls.tsx'
import { Money, StatusBadge } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { grossOf, MODES, modeWord, shownStatus } from '../../kit/store/payment.ts'
import { Search } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { filterPage, hrefTo, useOperatorRoute } from '../route.ts'

const STATUSES = ['pending', 'completed', 'refunded', 'failed', 'expired', 'cancelled'] as const

/** The payments of a store. The filters are in the URL, so that the list looks the same after going back. */
export function StorePayments({ store }: { store: OperatorStore }) {
  const { translate } = useLanguage()
  const { query } = useOperatorRoute()
  const id = String(store.id)
  const mode: Mode = query.get('mode') === 'sandbox' ? 'sandbox' : 'live'
  const status = STATUSES.find((option) => option === query.get('status')) ?? ''
  const search = query.get('search') ?? ''
  const filters = Object.entries({ mode, status, search }).filter(([, value]) => value !== '')
  const path = `stores/${id}/payments?${new URLSearchParams([['limit', '50'], ...filters])}`
  const list = usePages<StorePaymentList>(path, { keepMs: KEEP_MS })
  useListMemory(hrefTo('stores', id, 'payments'), list.pages.length > 0)
  const filter = (change: { mode?: Mode; status?: string; search?: string }) =>
    filterPage('stores', { mode, status, search, ...change }, id, 'payments')
  return (
    <>
      <div className="payment-filters">
        <Search
          label={translate('findPayment')}
          value={search}
          onSearch={(text) => filter({ search: text })}
        />
        <Select
          label={translate('status')}
          value={status}
          onChange={(value) => filter({ status: value })}
          options={[
            ['', translate('anyStatus')],
            ...STATUSES.map((option) => [option, translate(option)] as const),
          ]}
        />
        <Segments
          label={translate('mode')}
          options={MODES.map((option) => [option, translate(modeWord(option))] as const)}
          value={mode}
          onChange={(value) => filter({ mode: value })}
        />
      </div>
      <PagedTable
        list={list}
        rowsOf={(page) => page.payments}
        label={translate('payments')}
        keyOf={(payment) => payment.payment_id}
        hrefOf={(payment) => hrefTo('stores', id, 'payments', payment.payment_id)}
        empty={<Empty title={translate('noStorePayments')} />}
        columns={[
          [translate('time'), ({ created_at: at }) => <RowTime at={at} />],
          [translate('status'), (payment) => <StatusBadge status={shownStatus(payment)} />],
          [
            translate('reference'),
            ({ reference }) => <bdi>{reference.id ?? reference.note}</bdi>,
            'extra',
          ],
          [
            translate('payer'),
            ({ user, client }) => <bdi>{user?.name ?? client?.name}</bdi>,
            'extra',
          ],
          [
            translate('amount'),
            (payment) => <Money amount={grossOf(payment)} currency={payment.currency} />,
            'end',
          ],
        ]}
      />
    </>
  )
}
