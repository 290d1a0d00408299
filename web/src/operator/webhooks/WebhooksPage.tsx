import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { useResource } from '../../kit/query.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'
import type { Queue } from '../types.ts'

/** The failing hosts first, then the queue. */
export function WebhooksPage() {
  const { say, locale } = useLanguage()
  const resource = useResource<Queue>('webhooks', 10_000)
  const number = (value: number) => numberText(value, locale)
  return (
    <PageFrame title={say('webhooks')}>
      <Loaded resource={resource}>
        {({ queue, failing_hosts: hosts }) => (
          <>
            <h2>{say('failingHosts')}</h2>
            {hosts.length === 0 ? (
              <Empty title={say('noFailingHosts')} />
            ) : (
              <Table
                label={say('failingHosts')}
                rows={hosts}
                keyOf={({ host }) => host}
                columns={[
                  { title: say('host'), cell: ({ host }) => <bdi>{host}</bdi> },
                  {
                    title: say('lastError'),
                    cell: ({ last_error: error }) => (
                      <span lang="en" dir="ltr">
                        {error}
                      </span>
                    ),
                  },
                  { title: say('waiting'), isEnd: true, cell: (one) => number(one.waiting) },
                  { title: say('givenUp'), isEnd: true, cell: (one) => number(one.exhausted) },
                  {
                    title: say('stores'),
                    isEnd: true,
                    isExtra: true,
                    cell: (one) => number(one.stores),
                  },
                ]}
              />
            )}
            <h2>{say('queue')}</h2>
            {queue.length === 0 ? (
              <Empty title={say('queueEmpty')} />
            ) : (
              <Table
                label={say('queue')}
                rows={queue}
                keyOf={({ mode }) => mode}
                columns={[
                  {
                    title: say('mode'),
                    cell: ({ mode }) => say(modeWord(mode)),
                  },
                  { title: say('waiting'), isEnd: true, cell: (one) => number(one.waiting) },
                  { title: say('retried'), isEnd: true, cell: (one) => number(one.failing) },
                  { title: say('givenUp'), isEnd: true, cell: (one) => number(one.exhausted) },
                  {
                    title: say('oldestDue'),
                    isEnd: true,
                    cell: ({ oldest_due_at: at }) => at && <When at={at} />,
                  },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
