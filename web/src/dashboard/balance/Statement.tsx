import type { StatementLine, Statement as StatementPage } from '@florin/contract/books.js'
import { Empty, PagedList } from '../../kit/console/states.tsx'
import { RowTime, Table } from '../../kit/console/Table.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Money, useTimeText } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'

export function Statement() {
  const { translate } = useLanguage()
  const { mode, query, setQuery, filterField } = useDashboardRoute()
  const days = new URLSearchParams()
  for (const name of ['from', 'to']) {
    const day = query.get(name)
    if (day) days.set(name, day)
  }
  // `size` is missing in Safari before version 17.
  const isFiltered = days.toString() !== ''
  const list = usePages<StatementPage>(`${mode}/statement${isFiltered ? `?${days}` : ''}`)
  return (
    <div className="statement">
      <div className="choices">
        <Field label={translate('fromDay')} type="date" {...filterField('from')} />
        <Field label={translate('toDay')} type="date" {...filterField('to')} />
        {isFiltered && (
          <Button look="quiet" onClick={() => setQuery({ from: null, to: null })}>
            {translate('clearDays')}
          </Button>
        )}
      </div>
      <PagedList list={list}>
        {(pages) => (
          <>
            <div className="balance-now">
              <span className="soft small">{translate('balanceNow')}</span>
              <Money amount={pages[0]!.balance} currency={pages[0]!.currency} isLarge />
            </div>
            <Lines
              lines={pages.flatMap((page) => page.lines)}
              help={translate(isFiltered ? 'noLinesInPeriod' : 'noLinesHelp')}
            />
            <ArchiveNote page={pages.at(-1)!} />
            <p className="soft small">{translate('inZone', { zone: pages[0]!.time_zone })}</p>
          </>
        )}
      </PagedList>
    </div>
  )
}

/** Says at the end of the list that older lines are archived. */
function ArchiveNote({ page }: { page: StatementPage }) {
  const { translate } = useLanguage()
  const { archived_before: before, next_cursor: next, time_zone: timeZone } = page
  const timeText = useTimeText(timeZone)
  if (before === null || next !== null) return null
  return <p className="soft small">{translate('archivedBefore', { time: timeText(before) })}</p>
}

const isPayment = (reference: string) => reference.startsWith('pay_')

/** How people recognize the payment. Null if it has nothing but its id. */
const labelOf = ({ reference_id, link_title, payer }: NonNullable<StatementLine['payment']>) =>
  reference_id ?? link_title ?? payer

/** The label of the payment, with its id below. */
function LineReference({ line: { reference, payment } }: { line: StatementLine }) {
  const { hrefTo } = useDashboardRoute()
  if (!isPayment(reference)) return <bdi>{reference}</bdi>
  const label = payment && labelOf(payment)
  return (
    <a className="line-reference" href={hrefTo('payments', reference)}>
      {label !== null && <bdi>{label}</bdi>}
      <bdi className={label === null ? undefined : 'soft small'}>{reference}</bdi>
    </a>
  )
}

/** `help` is shown if there are no lines. */
function Lines({ lines, help }: { lines: readonly StatementLine[]; help: string }) {
  const { translate } = useLanguage()
  const { currency, time_zone: timeZone } = useSession().account.store
  const { hrefTo } = useDashboardRoute()
  return (
    <div className="books">
      <Table
        label={translate('statement')}
        rows={lines}
        empty={<Empty title={translate('noLines')} note={help} />}
        keyOf={({ reference, kind }) => `${reference} ${kind}`}
        columns={[
          [translate('time'), ({ at }) => <RowTime at={at} timeZone={timeZone} />, 'extra'],
          [
            translate('lineKind'),
            ({ kind, note, at, reference, payment }) => (
              <>
                {translate(`line_${kind}`)}
                {note && <span className="soft small"> · {note}</span>}
                <div className="line-details">
                  {isPayment(reference) && (
                    <a href={hrefTo('payments', reference)}>
                      <bdi>{(payment && labelOf(payment)) ?? translate('payment')}</bdi>
                    </a>
                  )}
                  <RowTime at={at} timeZone={timeZone} />
                </div>
              </>
            ),
          ],
          [translate('reference'), (line) => <LineReference line={line} />, 'extra'],
          [
            translate('amount'),
            ({ amount }) => (
              <span className={amount.startsWith('-') ? 'soft' : undefined}>
                <Money amount={amount} currency={currency} />
              </span>
            ),
            'end',
          ],
          [
            translate('balance'),
            ({ balance }) => <Money amount={balance} currency={currency} />,
            'end',
          ],
        ]}
      />
    </div>
  )
}
