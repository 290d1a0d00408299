import type { StorePayment, StorePaymentList } from '@florin/contract/store.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { useEffect, useState } from 'react'
import { KEEP_MS, useListMemory } from '../../kit/console/listMemory.ts'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedList } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Button } from '../../kit/controls.tsx'
import { useTimeText } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { basePath } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { FileDownload } from '../Download.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { type ChosenColumns, useChosenColumns, usePaymentColumns } from './columns.tsx'
import { FilterBar } from './FilterBar.tsx'
import { exportQuery, FILTERS, isFiltered, listQuery } from './filters.ts'
import { NewPaymentButton } from './NewPayment.tsx'

const PAGE_ROWS = 25
/** A search reads at most this many pages, about half a million payments, before it asks whether to continue. */
const MAX_SEARCH_PAGES = 50

export function PaymentList() {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { mode, query } = useDashboardRoute()
  const filters = listQuery(query, account.store.time_zone)
  filters.set('limit', String(PAGE_ROWS))
  const path = `${mode}/payments?${filters}`
  const columns = useChosenColumns()
  return (
    <PageFrame
      title={translate('payments')}
      actions={
        <>
          {mayOpen(account.person.role, 'balance') && (
            <FileDownload
              file={`payments.csv?${exportQuery(query)}`}
              note={translate(isFiltered(query) ? 'downloadFiltered' : 'downloadPayments')}
            />
          )}
          <NewPaymentButton />
        </>
      }
    >
      <FilterBar columns={columns} />
      <Results key={path} path={path} columns={columns.chosen} />
    </PageFrame>
  )
}

/**
 * With a filter that matches few payments, pages come back empty with a cursor. The list then loads the
 * next page automatically until it has enough rows, shows how far back it has searched, and can be stopped.
 */
function Results({ path, columns }: { path: string; columns: ChosenColumns }) {
  const { query, hrefTo } = useDashboardRoute()
  const list = usePages<StorePaymentList>(path, { keepMs: KEEP_MS })
  const [limit, setLimit] = useState({ rows: PAGE_ROWS, pages: MAX_SEARCH_PAGES })
  const { pages, isBusy, loadMore } = list
  const rows = pages.flatMap((page) => page.payments)
  const isUnfinished = rows.length < limit.rows && pages.length < limit.pages
  const isSearching = isBusy || (isUnfinished && loadMore !== null && list.problem === null)
  useEffect(() => {
    if (isSearching && !isBusy && pages.length > 0) loadMore?.()
  })
  useListMemory(hrefTo('payments'), rows.length > 0)
  const until = pages.at(-1)?.looked_until
  return (
    <PagedList
      list={list}
      lines={8}
      footer={
        until && (
          <SearchProgress
            until={until}
            isSearching={isSearching}
            search={() => {
              setLimit({ rows: rows.length + PAGE_ROWS, pages: pages.length + MAX_SEARCH_PAGES })
              loadMore?.()
            }}
            stop={() => {
              setLimit({ rows: 0, pages: 0 })
              list.cancel()
            }}
          />
        )
      }
    >
      {() => {
        if (rows.length > 0) return <PaymentTable rows={rows} columns={columns} />
        if (isSearching || loadMore !== null) return null
        return isFiltered(query) ? <NothingFound /> : <FirstPayment />
      }}
    </PagedList>
  )
}

type SearchProgressProps = {
  until: string
  isSearching: boolean
  search: () => void
  stop: () => void
}

function SearchProgress({ until, isSearching, search, stop }: SearchProgressProps) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { query } = useDashboardRoute()
  const time = useTimeText(account.store.time_zone)(until)
  if (!isFiltered(query)) {
    return (
      <div className="row-center">
        <Button look="quiet" isBusy={isSearching} onClick={search}>
          {translate('showMore')}
        </Button>
      </div>
    )
  }
  return (
    <div className="row-center">
      <p className="small soft" role="status">
        {translate(isSearching ? 'searchingOlder' : 'searchedBackTo', { time })}
      </p>
      <Button look="quiet" onClick={isSearching ? stop : search}>
        {translate(isSearching ? 'stop' : 'searchOlder')}
      </Button>
    </div>
  )
}

type PaymentTableProps = { rows: readonly StorePayment[]; columns: ChosenColumns }

function PaymentTable({ rows, columns }: PaymentTableProps) {
  const { translate } = useLanguage()
  const { hrefTo } = useDashboardRoute()
  return (
    <div className="payment-rows">
      <Table
        label={translate('payments')}
        rows={rows}
        keyOf={(payment) => payment.payment_id}
        hrefOf={(payment) => hrefTo('payments', payment.payment_id)}
        columns={usePaymentColumns(columns)}
      />
    </div>
  )
}

function NothingFound() {
  const { translate } = useLanguage()
  const { query, setQuery } = useDashboardRoute()
  const clear = () => setQuery(Object.fromEntries(FILTERS.map((name) => [name, null])))
  return (
    <Empty
      title={translate('nothingFound')}
      note={translate(query.has('search') ? 'searchHelp' : 'nothingFoundNote')}
    >
      <Button look="quiet" onClick={clear}>
        {translate('clearFilters')}
      </Button>
    </Empty>
  )
}

/** The ways to get the first payment. */
function FirstPayment() {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  return (
    <Empty title={translate('noPayments')} note={translate('noPaymentsNote')}>
      {account.may.includes('create') && (
        <div className="row-center">
          <NewPaymentButton />
          {mayOpen(account.person.role, 'settings') && (
            <a className="button button-quiet" href={hrefTo('links')}>
              {translate('createALink')}
            </a>
          )}
          <a className="button button-quiet" href={`${basePath}/till`}>
            {translate('openTill')}
          </a>
        </div>
      )}
    </Empty>
  )
}
