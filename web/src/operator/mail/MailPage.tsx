import type { Mail, MailList } from '@florin/contract/mail.js'
import { ActionButton, Badge, type Tone } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedList } from '../../kit/console/states.tsx'
import { RowTime, Table, When } from '../../kit/console/Table.tsx'
import { Field, Select } from '../../kit/controls.tsx'
import { Facts, Notice } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { usePages } from '../../kit/query.ts'
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

/** Whether mail is set up, the queue, and the emails. The filters are in the URL, so links keep them. */
export function MailPage() {
  const { say } = useLanguage()
  const { query } = useOperatorRoute()
  const filters = { state: query.get('state') ?? '', to: query.get('to') ?? '' }
  const apiQuery = new URLSearchParams({ limit: '50' })
  if (filters.state !== '') apiQuery.set('state', filters.state)
  if (filters.to !== '') apiQuery.set('to', filters.to)
  const list = usePages<MailList>(`mails?${apiQuery}`)
  return (
    <PageFrame title={say('mail')}>
      <PagedList list={list}>
        {(pages) => (
          <>
            <Setup state={pages[0]!} onDone={list.reload} />
            {(pages[0]!.enabled || pages[0]!.mails.length > 0 || query.size > 0) && (
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

function Setup({ state, onDone }: { state: MailList; onDone: () => void }) {
  const { say, locale } = useLanguage()
  if (!state.enabled) return <Empty title={say('mailOff')} note={say('mailOffNote')} />
  return (
    <section className="card stack" aria-label={say('queue')}>
      <Notice tone="completed">{say('mailOn')}</Notice>
      <Facts
        facts={[
          [say('mailFrom'), <bdi key="from">{state.from}</bdi>],
          [say('mailQueued'), numberText(state.queued, locale)],
          [say('mailFailed'), numberText(state.failed, locale)],
          [
            say('mailOldest'),
            state.oldest_queued_at ? <When key="at" at={state.oldest_queued_at} /> : '–',
          ],
        ]}
      />
      <div>
        <TestMail onDone={onDone} />
      </div>
    </section>
  )
}

function TestMail({ onDone }: { onDone: () => void }) {
  const { say, locale } = useLanguage()
  const { request, account } = useSession()
  const { fields, field } = useFields({ to: account.operator.email })
  return (
    <ActionButton
      label={say('sendTestMail')}
      run={() => request('mails/test', { method: 'POST', body: { to: fields.to, locale } })}
      onDone={onDone}
    >
      <Field label={say('mailTo')} {...field('to')} type="email" isRequired />
      <p className="small soft">{say('testMailNote')}</p>
    </ActionButton>
  )
}

function Filter({ filters }: { filters: { state: string; to: string } }) {
  const { say } = useLanguage()
  const { fields, field } = useFields(filters)
  return (
    <FilterForm page="mail" fields={fields}>
      <Field label={say('mailTo')} {...field('to')} type="email" />
      <Select
        label={say('state')}
        {...field('state')}
        options={[
          ['', say('allStates')],
          ...Object.entries(STATES).map(([state, [, word]]) => [state, say(word)] as const),
        ]}
      />
    </FilterForm>
  )
}

function Mails({ mails, onDone }: { mails: readonly Mail[]; onDone: () => void }) {
  const { say } = useLanguage()
  const { request } = useSession()
  return (
    <Table
      label={say('mail')}
      rows={mails}
      keyOf={({ mail_id }) => mail_id}
      empty={<Empty title={say('noMails')} />}
      columns={[
        [say('time'), ({ created_at: at }) => <RowTime at={at} />],
        [say('mailTo'), ({ to }) => <bdi>{to}</bdi>],
        [say('mailTemplate'), ({ template }) => say(`mail_${template}`)],
        [
          say('state'),
          ({ state, last_error: error }) => (
            <>
              <Badge tone={STATES[state][0]} text={say(STATES[state][1])} />
              {error && (
                <div className="small soft" lang="en" dir="ltr">
                  {error}
                </div>
              )}
            </>
          ),
        ],
        [say('mailAttempts'), ({ attempts }) => attempts, 'end', 'extra'],
        [
          say('actions'),
          (mail) =>
            mail.state === 'failed' && (
              <ActionButton
                label={say('resend')}
                subject={mail.to}
                run={() => request(`mails/${mail.mail_id}/resend`, { method: 'POST' })}
                onDone={onDone}
              >
                <p>{say('resendMailNote')}</p>
                <Facts facts={[[say('mailTo'), mail.to]]} />
              </ActionButton>
            ),
          'end',
        ],
      ]}
    />
  )
}
