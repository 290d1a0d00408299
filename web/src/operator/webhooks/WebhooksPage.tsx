import type { WebhookQueue } from '@florin/contract/webhooks.js'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { useResource } from '../../kit/query.ts'
import { useDeliveryError } from '../../kit/store/deliveryErrors.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'

/** The failing hosts first, then the queue. */
export function WebhooksPage() {
  const { say, locale } = useLanguage()
  const resource = useResource<WebhookQueue>('webhooks', 10_000)
  const errorText = useDeliveryError()
  const number = (value: number) => numberText(value, locale)
  return (
    <PageFrame title={say('webhooks')}>
      <Loaded resource={resource}>
        {({ queue, failing_hosts: hosts }) => (
          <>
            <h2>{say('failingHosts')}</h2>
            <Table
              empty={<Empty title={say('noFailingHosts')} />}
              label={say('failingHosts')}
              rows={hosts}
              keyOf={({ host }) => host}
              columns={[
                [say('host'), ({ host }) => <bdi>{host}</bdi>],
                [
                  say('lastError'),
                  ({ last_error: error }) => error !== null && <bdi>{errorText(error)}</bdi>,
                ],
                [say('waiting'), (one) => number(one.waiting), 'end'],
                [say('failedWebhooks'), (one) => number(one.exhausted), 'end'],
                [say('stores'), (one) => number(one.stores), 'end', 'extra'],
              ]}
            />
            <h2>{say('queue')}</h2>
            <Table
              empty={<Empty title={say('queueEmpty')} />}
              label={say('queue')}
              rows={queue}
              keyOf={({ mode }) => mode}
              columns={[
                [say('mode'), ({ mode }) => say(modeWord(mode))],
                [say('waiting'), (one) => number(one.waiting), 'end'],
                [say('retrying'), (one) => number(one.failing), 'end'],
                [say('failedWebhooks'), (one) => number(one.exhausted), 'end'],
                [say('oldestDue'), ({ oldest_due_at: at }) => at && <When at={at} />, 'end'],
              ]}
            />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
