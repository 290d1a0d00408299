import type { Load, Node, Nodes } from '@florin/contract/platform.js'
import { Badge, type Tone } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { RelativeTime, Table } from '../../kit/console/Table.tsx'
import { Notice } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { megabytes, numberText } from '../numbers.ts'
import { LoadChart } from './LoadChart.tsx'
import { isBehindUntrustedProxy } from './proxy.ts'

const REFRESH_MS = 10_000
const TONES: Record<Node['state'], Tone> = { ready: 'good', not_ready: 'warn', silent: 'bad' }
const sortFailingFirst = (nodes: readonly Node[]) =>
  [...nodes].sort((a, b) => Number(a.state === 'ready') - Number(b.state === 'ready'))

/** The processes of the service, and their load over the last hour. */
export function HealthPage() {
  const { translate } = useLanguage()
  const nodes = useResource<Nodes>('nodes', REFRESH_MS)
  const load = useResource<Load>('load', REFRESH_MS)
  return (
    <PageFrame title={translate('health')}>
      <h2>{translate('nodes')}</h2>
      <Loaded resource={nodes} lines={2}>
        {(data) => (
          <>
            {isBehindUntrustedProxy(data.nodes) && (
              <Notice tone="expired">{translate('proxyUntrusted')}</Notice>
            )}
            <NodeTable nodes={sortFailingFirst(data.nodes)} />
          </>
        )}
      </Loaded>
      <Loaded resource={load}>
        {({ minutes }) =>
          minutes.length === 0 ? (
            <Empty title={translate('noLoad')} />
          ) : (
            <div className="columns">
              <LoadChart
                title={translate('load')}
                minutes={minutes}
                bars={[translate('requestsPerSecond'), (minute) => minute.requests_per_second]}
                line={[translate('faultsPerSecond'), (minute) => minute.faults_per_second]}
              />
              <LoadChart
                title={translate('latency')}
                minutes={minutes}
                bars={[translate('p50'), (minute) => minute.p50_ms ?? 0]}
                others={[[translate('p95'), (minute) => minute.p95_ms ?? 0]]}
                line={[translate('p99'), (minute) => minute.p99_ms ?? 0]}
              />
            </div>
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function NodeTable({ nodes }: { nodes: readonly Node[] }) {
  const { translate, locale } = useLanguage()
  return (
    <Table
      label={translate('nodes')}
      rows={nodes}
      empty={<Empty title={translate('noNodes')} />}
      keyOf={({ node_id }) => node_id}
      columns={[
        [translate('node'), ({ host, pid }) => <bdi>{`${host} ${pid}`}</bdi>],
        [translate('state'), ({ state }) => <Badge tone={TONES[state]} text={translate(state)} />],
        [
          translate('requestsPerSecond'),
          (node) => numberText(node.requests_per_second, locale),
          'end',
        ],
        [
          translate('p95'),
          (node) => (node.p95_ms === null ? '–' : numberText(node.p95_ms, locale)),
          'end',
        ],
        [
          translate('memory'),
          (node) => translate('megabytes', { count: megabytes(node.memory_bytes) }),
          'end',
          'extra',
        ],
        [translate('version'), (node) => node.version, 'extra'],
        [translate('started'), (node) => <RelativeTime at={node.started_at} />, 'extra'],
        [translate('seen'), (node) => <RelativeTime at={node.seen_at} />, 'extra'],
      ]}
    />
  )
}
