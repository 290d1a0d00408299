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
  const { say } = useLanguage()
  const { mode, query, filterField } = useDashboardRoute()
  const chosen = Object.fromEntries(
    FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])),
  )
  const list = usePages<LogPage>(`${mode}/webhooks?${new URLSearchParams(chosen)}`)
  const [resending, setResending] = useState<Resending | null>(null)
  return (
    <>
      <div className="choices choices-five">
        <Select
          label={say('state')}
          {...filterField('state')}
          options={[
            ['', say('withUrl')],
            ...STATES.map((one) => [one, say(`state_${one}`)] as const),
          ]}
        />
        <Select
          label={say('event')}
          {...filterField('type')}
          options={[
            ['', say('anyEvent')],
            ...OUTCOMES.map((one) => [`payment.${one}`, say(one)] as const),
          ]}
        />
        <Field label={say('paymentId')} {...filterField('payment_id')} />
        <Field label={say('fromDay')} type="date" {...filterField('from')} />
        <Field label={say('toDay')} type="date" {...filterField('to')} />
      </div>
      <PagedList list={list}>
        {(pages) => {
          const all = pages.flatMap((page) => page.events)
          // Events of payments without a URL are never sent. The page shows them only on request.
          const events = chosen.state === undefined ? all.filter(isWanted) : all
          if (events.length === 0) {
            return (
              <Empty
                title={say('noWebhooks')}
                note={say(all.length > 0 ? 'onlyWithoutUrl' : 'noWebhooksHelp')}
              />
            )
          }
          return (
            <>
              {events.some(isWanted) && (
                <div className="buttons">
                  <Button look="quiet" onClick={() => setResending(chosen)}>
                    {say('resendAll')}
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
  const { say } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  const errorText = useDeliveryError()
  return (
    <div className="action-table">
      <Table
        label={say('webhooks')}
        rows={events}
        keyOf={({ id }) => id}
        columns={[
          [
            say('time'),
            ({ created_at }) => <RowTime at={created_at} timeZone={account.store.time_zone} />,
          ],
          [
            say('event'),
            ({ type, payment_id }) => (
              <>
                {say(type.replace('payment.', '') as FinalStatus)}
                <div className="small">
                  <a href={hrefTo('payments', payment_id)}>
                    <bdi>{payment_id}</bdi>
                  </a>
                </div>
              </>
            ),
          ],
          [
            say('state'),
            ({ state, attempts }) => (
              <>
                {say(`state_${state}`)}
                {attempts > 0 && (
                  <div className="soft small">{say('attemptsCount', { count: attempts })}</div>
                )}
              </>
            ),
          ],
          [
            say('lastAnswer'),
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
            say('resend'),
            ({ id, url }) =>
              url && (
                <Button
                  look="quiet"
                  aria-label={`${say('resend')}: ${id}`}
                  onClick={() => resend(id)}
                >
                  {say('resend')}
                </Button>
              ),
            'end',
          ],
        ]}
      />
    </div>
  )
}
