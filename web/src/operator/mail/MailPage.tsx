import type { Mail, MailList } from '@florin/contract/mail.js'
import { ActionButton, Badge, type Tone } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedList } from '../../kit/console/states.tsx'
import { RelativeTime, RowTime, Table } from '../../kit/console/Table.tsx'
import { Field, Select } from '../../kit/controls.tsx'
import { Facts, Notice } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { usePages } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { FilterForm } from '../FilterForm.tsx'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'
import { useOperatorRoute } from '../route.ts'
import { useSession } from '../session.ts'

const STATES = {
  queued: ['wait', 'mailQueued'],
  sent: ['good', 'mailSent'],
  failed: ['bad', 'mailFailed'],
} as const satisfies Record<Mail['state'], readonly [Tone, string]>

/** Whether mail is set up, the queue, and the emails. The filters are in the URL, so that a reload or a copied URL shows the same. */
export function MailPage() {
  const { translate } = useLanguage()
  const { query } = useOperatorRoute()
  const filters = { state: query.get('state') ?? '', to: query.get('to') ?? '' }
  const isFiltered = query.toString() !== ''
  const apiQuery = new URLSearchParams({ limit: '50' })
  if (filters.state !== '') apiQuery.set('state', filters.state)
  if (filters.to !== '') apiQuery.set('to', filters.to)
  const list = usePages<MailList>(`mails?${apiQuery}`)
  return (
    <PageFrame title={translate('mail')}>
      <PagedList list={list}>
        {(pages) => (
          <>
            <MailState state={pages[0]!} onDone={list.reload} />
            {(pages[0]!.enabled || pages[0]!.mails.length > 0 || isFiltered) && (
              <>
                <Filter key={query.toString()} filters={filters} />
                <Mails mails={pages.flatMap(({ mails }) => mails)} onDone={list.reload} />
              </>
            )}
          </>
        )}
      </PagedList>
    </PageFrame>
  )
}

function MailState({ state, onDone }: { state: MailList; onDone: () => void }) {
  const { translate, locale } = useLanguage()
  if (!state.enabled) return <Empty title={translate('mailOff')} note={translate('mailOffNote')} />
  return (
    <section className="card stack" aria-label={translate('queue')}>
      <Notice tone="completed">{translate('mailOn')}</Notice>
      <Facts
        facts={[
          [translate('mailFrom'), <bdi key="from">{state.from}</bdi>],
          [translate('mailQueued'), numberText(state.queued, locale)],
          [translate('mailFailed'), numberText(state.failed, locale)],
          [
            translate('mailOldest'),
            state.oldest_queued_at ? <RelativeTime key="at" at={state.oldest_queued_at} /> : '–',
          ],
        ]}
      />
      <Allowed permission="admin">
        <div>
          <TestMail onDone={onDone} />
        </div>
      </Allowed>
    </section>
  )
}

function TestMail({ onDone }: { onDone: () => void }) {
  const { translate, locale } = useLanguage()
  const { request, account } = useSession()
  const { fields, field } = useFields({ to: account.operator.email })
  return (
    <ActionButton
      label={translate('sendTestMail')}
      run={() => request('mails/test', { method: 'POST', body: { to: fields.to, locale } })}
      onDone={onDone}
    >
      <Field label={translate('mailTo')} {...field('to')} type="email" isRequired />
      <p className="small soft">{translate('testMailNote')}</p>
    </ActionButton>
  )
}

function Filter({ filters }: { filters: { state: string; to: string } }) {
  const { translate } = useLanguage()
  const { fields, field } = useFields(filters)
  return (
    <FilterForm page="mail" fields={fields}>
      <Field label={translate('mailTo')} {...field('to')} type="email" />
      <Select
        label={translate('state')}
        {...field('state')}
        options={[
          ['', translate('allStates')],
          ...Object.entries(STATES).map(([state, [, word]]) => [state, translate(word)] as const),
        ]}
      />
    </FilterForm>
  )
}

function Mails({ mails, onDone }: { mails: readonly Mail[]; onDone: () => void }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  return (
    <Table
      label={translate('mail')}
      rows={mails}
      keyOf={({ mail_id }) => mail_id}
      empty={<Empty title={translate('noMails')} />}
      columns={[
        [translate('time'), ({ created_at: at }) => <RowTime at={at} />],
        [translate('mailTo'), ({ to }) => <bdi>{to}</bdi>],
        [translate('mailTemplate'), ({ template }) => translate(`mail_${template}`)],
        [
          translate('state'),
          ({ state, last_error: error }) => (
            <>
              <Badge tone={STATES[state][0]} text={translate(STATES[state][1])} />
              {error && (
                <div className="small soft" lang="en" dir="ltr">
                  {error}
                </div>
              )}
            </>
          ),
        ],
        [translate('mailAttempts'), ({ attempts }) => attempts, 'end', 'extra'],
        [
          translate('actions'),
          (mail) =>
            mail.state === 'failed' && (
              <Allowed permission="admin">
                <ActionButton
                  label={translate('resend')}
                  subject={mail.to}
                  run={() => request(`mails/${mail.mail_id}/resend`, { method: 'POST' })}
                  onDone={onDone}
                >
                  <p>{translate('resendMailNote')}</p>
                  <Facts facts={[[translate('mailTo'), mail.to]]} />
                </ActionButton>
              </Allowed>
            ),
          'end',
        ],
      ]}
    />
  )
}
