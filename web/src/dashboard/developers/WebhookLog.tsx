import type { LoggedEvent, WebhookLog as LogPage } from '@florin/contract/developers.js'
import { useState } from 'react'
import { Empty, PagedList } from '../../kit/console/states.tsx'
import { RowTime, Table } from '../../kit/console/Table.tsx'
import { Button, Field, Select } from '../../kit/controls.tsx'
import type { FinalStatus } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { useDeliveryError } from '../../kit/store/deliveryErrors.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { Resend } from './Resend.tsx'

const STATES = ['delivered', 'waiting', 'failing', 'exhausted', 'not_wanted'] as const
const OUTCOMES = ['completed', 'failed', 'expired', 'refunded'] as const

const FILTERS = ['state', 'type', 'payment_id', 'from', 'to'] as const
const isWanted = ({ url }: LoggedEvent) => url !== null

type Resending = { readonly ids?: readonly string[] } & Readonly<Record<string, unknown>>

export function WebhookLog() {
  const { translate } = useLanguage()
  const { mode, query, setQuery, filterField } = useDashboardRoute()
  // Events of payments without a URL are never sent. The page shows them only when their state is chosen.
  const chosen = {
    state: 'wanted',
    ...Object.fromEntries(
      FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])),
    ),
  }
  const isFiltered = FILTERS.some((name) => query.get(name))
  const list = usePages<LogPage>(`${mode}/webhooks?${new URLSearchParams(chosen)}`)
  const clearFilters = () => setQuery(Object.fromEntries(FILTERS.map((name) => [name, null])))
  const [resending, setResending] = useState<Resending | null>(null)
  return (
    <>
      <div className="choices choices-five">
        <Select
          label={translate('state')}
          {...filterField('state')}
          options={[
            ['', translate('withUrl')],
            ...STATES.map((state) => [state, translate(`state_${state}`)] as const),
          ]}
        />
        <Select
          label={translate('event')}
          {...filterField('type')}
          options={[
            ['', translate('anyEvent')],
            ...OUTCOMES.map((outcome) => [`payment.${outcome}`, translate(outcome)] as const),
          ]}
        />
        <Field label={translate('paymentId')} {...filterField('payment_id')} />
        <Field label={translate('fromDay')} type="date" {...filterField('from')} />
        <Field label={translate('toDay')} type="date" {...filterField('to')} />
      </div>
      <PagedList list={list}>
        {(pages) => {
          const events = pages.flatMap((page) => page.events)
          if (events.length === 0) {
            const note = translate(isFiltered ? 'nothingFoundNote' : 'noWebhooksHelp')
            return (
              <Empty title={translate('noWebhooks')} note={note}>
                {isFiltered && (
                  <Button look="quiet" onClick={clearFilters}>
                    {translate('clearFilters')}
                  </Button>
                )}
              </Empty>
            )
          }
          return (
            <>
              {events.some(isWanted) && (
                <div className="buttons">
                  <Button look="quiet" onClick={() => setResending(chosen)}>
                    {translate('resendAll')}
                  </Button>
                </div>
              )}
              <Events events={events} resend={(id) => setResending({ ids: [id] })} />
            </>
          )
        }}
      </PagedList>
      {resending && (
        <Resend
          body={resending}
          onClose={() => {
            setResending(null)
            list.reload()
          }}
        />
      )}
    </>
  )
}

type Props = { events: readonly LoggedEvent[]; resend: (id: string) => void }

function Events({ events, resend }: Props) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  const errorText = useDeliveryError()
  return (
    <div className="action-table">
      <Table
        label={translate('webhooks')}
        rows={events}
        keyOf={({ id }) => id}
        columns={[
          [
            translate('time'),
            ({ created_at }) => <RowTime at={created_at} timeZone={account.store.time_zone} />,
          ],
          [
            translate('event'),
            ({ type, payment_id }) => (
              <>
                {translate(type.replace('payment.', '') as FinalStatus)}
                <div className="small">
                  <a href={hrefTo('payments', payment_id)}>
                    <bdi>{payment_id}</bdi>
                  </a>
                </div>
              </>
            ),
          ],
          [
            translate('state'),
            ({ state, attempts }) => (
              <>
                {translate(`state_${state}`)}
                {attempts > 0 && (
                  <div className="soft small">
                    {translate('attemptsCount', { count: attempts })}
                  </div>
                )}
              </>
            ),
          ],
          [
            translate('lastResponse'),
            ({ last_attempt, url }) => (
              <>
                {last_attempt?.status_code ?? errorText(last_attempt?.error ?? '')}
                {url && (
                  <div className="soft small">
                    <bdi>{url}</bdi>
                  </div>
                )}
              </>
            ),
            'extra',
          ],
          [
            translate('resend'),
            ({ id, url }) =>
              url && (
                <Button
                  look="quiet"
                  aria-label={`${translate('resend')}: ${id}`}
                  onClick={() => resend(id)}
                >
                  {translate('resend')}
                </Button>
              ),
            'end',
          ],
        ]}
      />
    </div>
  )
}
