import type { Load, Node, Nodes } from '@florin/contract/platform.js'
import { Badge, type Tone } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Notice } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { megabytes, numberText } from '../numbers.ts'
import { LoadChart } from './LoadChart.tsx'
import { isBehindProxy } from './proxy.ts'

const REFRESH_MS = 10_000
const TONES: Record<Node['state'], Tone> = { ready: 'good', not_ready: 'warn', silent: 'bad' }
const failingFirst = (nodes: readonly Node[]) =>
  [...nodes].sort((a, b) => Number(a.state === 'ready') - Number(b.state === 'ready'))

/** The processes of the service, and their load over the last hour. */
export function HealthPage() {
  const { say } = useLanguage()
  const nodes = useResource<Nodes>('nodes', REFRESH_MS)
  const load = useResource<Load>('load', REFRESH_MS)
  return (
    <PageFrame title={say('health')}>
      <h2>{say('nodes')}</h2>
      <Loaded resource={nodes} lines={2}>
        {(data) => (
          <>
            {isBehindProxy(data.nodes) && <Notice tone="expired">{say('proxyUntrusted')}</Notice>}
            <NodeTable nodes={failingFirst(data.nodes)} />
          </>
        )}
      </Loaded>
      <Loaded resource={load}>
        {({ minutes }) =>
          minutes.length === 0 ? (
            <Empty title={say('noLoad')} />
          ) : (
            <div className="columns">
              <LoadChart
                title={say('load')}
                minutes={minutes}
                bars={[say('requestsPerSecond'), (minute) => minute.requests_per_second]}
                line={[say('faultsPerSecond'), (minute) => minute.faults_per_second]}
              />
              <LoadChart
                title={say('latency')}
                minutes={minutes}
                bars={[say('p50'), (minute) => minute.p50_ms ?? 0]}
                others={[[say('p95'), (minute) => minute.p95_ms ?? 0]]}
                line={[say('p99'), (minute) => minute.p99_ms ?? 0]}
              />
            </div>
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function NodeTable({ nodes }: { nodes: readonly Node[] }) {
  const { say, locale } = useLanguage()
  return (
    <Table
      label={say('nodes')}
      rows={nodes}
      empty={<Empty title={say('noNodes')} />}
      keyOf={({ node_id }) => node_id}
      columns={[
        [say('node'), ({ host, pid }) => <bdi>{`${host} ${pid}`}</bdi>],
        [say('state'), ({ state }) => <Badge tone={TONES[state]} text={say(state)} />],
        [say('requestsPerSecond'), (node) => numberText(node.requests_per_second, locale), 'end'],
        [say('p95'), (node) => node.p95_ms ?? '–', 'end'],
        [
          say('memory'),
          (node) => say('megabytes', { count: megabytes(node.memory_bytes) }),
          'end',
          'extra',
        ],
        [say('version'), (node) => node.version, 'extra'],
        [say('started'), (node) => <When at={node.started_at} />, 'extra'],
        [say('seen'), (node) => <When at={node.seen_at} />, 'extra'],
      ]}
    />
  )
}
