import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Icon } from '../../kit/display.tsx'
import { Badge, type Tone } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import { megabytes, numberText } from '../numbers.ts'
import { TIME_ZONE, useAsked } from '../session.ts'
import type { Minute, Node } from '../types.ts'
import { Chart } from './Chart.tsx'
import { isBehindProxy } from './proxy.ts'

const EVERY_MS = 10_000
const TONES: Record<Node['state'], Tone> = { ready: 'good', not_ready: 'warn', silent: 'bad' }
const worstFirst = (nodes: readonly Node[]) =>
  [...nodes].sort((a, b) => Number(a.state === 'ready') - Number(b.state === 'ready'))

/** Every process that serves, and what they answered together over the last hour. */
export function HealthPage() {
  const { say } = useLanguage()
  const nodes = useAsked<{ nodes: Node[] }>('nodes', EVERY_MS)
  const load = useAsked<{ minutes: Minute[] }>('load', EVERY_MS)
  return (
    <PageFrame title={say('health')}>
      <h2>{say('nodes')}</h2>
      <Loaded asked={nodes} lines={2}>
        {(data) =>
          data.nodes.length === 0 ? (
            <Empty title={say('noNodes')} />
          ) : (
            <>
              {isBehindProxy(data.nodes) && (
                <p className="notice tone-expired">
                  <Icon name="warning" />
                  {say('proxyUntrusted')}
                </p>
              )}
              <Nodes nodes={worstFirst(data.nodes)} />
            </>
          )
        }
      </Loaded>
      <Loaded asked={load}>
        {({ minutes }) =>
          minutes.length === 0 ? (
            <Empty title={say('noLoad')} />
          ) : (
            <div className="charts">
              <Chart
                title={say('load')}
                minutes={minutes}
                lines={[
                  [say('requestsPerSecond'), (minute) => minute.requests_per_second],
                  [say('faultsPerSecond'), (minute) => minute.faults_per_second],
                ]}
              />
              <Chart
                title={say('latency')}
                minutes={minutes}
                lines={[
                  [say('p50'), (minute) => minute.p50_ms ?? 0],
                  [say('p95'), (minute) => minute.p95_ms ?? 0],
                  [say('p99'), (minute) => minute.p99_ms ?? 0],
                ]}
              />
            </div>
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function Nodes({ nodes }: { nodes: readonly Node[] }) {
  const { say, locale } = useLanguage()
  return (
    <Table
      label={say('nodes')}
      rows={nodes}
      keyOf={({ node_id }) => node_id}
      columns={[
        { title: say('node'), cell: ({ host, pid }) => <bdi>{`${host} ${pid}`}</bdi> },
        {
          title: say('state'),
          cell: ({ state }) => <Badge tone={TONES[state]} word={say(state)} />,
        },
        {
          title: say('requestsPerSecond'),
          isEnd: true,
          cell: (node) => numberText(node.requests_per_second, locale),
        },
        { title: say('p95'), isEnd: true, cell: (node) => node.p95_ms ?? '–' },
        {
          title: say('memory'),
          isEnd: true,
          isExtra: true,
          cell: (node) => say('megabytes', { count: megabytes(node.memory_bytes) }),
        },
        { title: say('version'), isExtra: true, cell: (node) => node.version },
        {
          title: say('started'),
          isExtra: true,
          cell: (node) => <When at={node.started_at} timeZone={TIME_ZONE} />,
        },
        {
          title: say('seen'),
          isExtra: true,
          cell: (node) => <When at={node.seen_at} timeZone={TIME_ZONE} />,
        },
      ]}
    />
  )
}
