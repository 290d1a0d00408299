import type { WebhookQueue } from '@florin/contract/webhooks.js'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { RelativeTime, Table } from '../../kit/console/Table.tsx'
import { useResource } from '../../kit/query.ts'
import { useDeliveryError } from '../../kit/store/deliveryErrors.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'

const REFRESH_MS = 10_000

/** The failing hosts first, then the queue. */
export function WebhooksPage() {
  const { translate, locale } = useLanguage()
  const resource = useResource<WebhookQueue>('webhooks', REFRESH_MS)
  const errorText = useDeliveryError()
  const number = (value: number) => numberText(value, locale)
  return (
    <PageFrame title={translate('webhooks')}>
      <Loaded resource={resource}>
        {({ queue, failing_hosts: hosts }) => (
          <>
            <h2>{translate('failingHosts')}</h2>
            <Table
              empty={<Empty title={translate('noFailingHosts')} />}
              label={translate('failingHosts')}
              rows={hosts}
              keyOf={({ host }) => host}
              columns={[
                [translate('host'), ({ host }) => <bdi>{host}</bdi>],
                [
                  translate('lastError'),
                  ({ last_error: error }) => error !== null && <bdi>{errorText(error)}</bdi>,
                ],
                [translate('waiting'), ({ waiting }) => number(waiting), 'end'],
                [translate('failedWebhooks'), ({ exhausted }) => number(exhausted), 'end'],
                [translate('stores'), ({ stores }) => number(stores), 'end', 'extra'],
              ]}
            />
            <h2>{translate('queue')}</h2>
            <Table
              empty={<Empty title={translate('queueEmpty')} />}
              label={translate('queue')}
              rows={queue}
              keyOf={({ mode }) => mode}
              columns={[
                [translate('mode'), ({ mode }) => translate(modeWord(mode))],
                [translate('waiting'), ({ waiting }) => number(waiting), 'end'],
                [translate('retrying'), ({ failing }) => number(failing), 'end'],
                [translate('failedWebhooks'), ({ exhausted }) => number(exhausted), 'end'],
                [
                  translate('oldestDue'),
                  ({ oldest_due_at: at }) => at && <RelativeTime at={at} />,
                  'end',
                ],
              ]}
            />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
