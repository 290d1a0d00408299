import { Load, Nodes, PlatformBalances } from '@florin/contract/platform.js'
import { wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { SILENT_MS } from '../../ops/nodes.ts'
import { loadFields } from '../../platform/load.ts'
import { readPlatformBalances } from '../../sql/ledger.ts'
import { listNodes, readLoad } from '../../sql/nodes.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

const LOAD_MINUTES = 60

export function platformRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/balances', {
    operationId: 'getPlatformBalances',
    summary: 'Get the balances of the platform',
    permission: 'read',
    description: 'Returns the sums of all accounts by mode and currency.',
    data: PlatformBalances,
    handler: async ({ service, reply }) => {
      const rows = await readPlatformBalances(service.database)
      return succeed(reply, 'Balances', {
        balances: rows.map(({ mode, currency, stores, wallets, fees, gifts }) => ({
          mode,
          currency,
          stores: formatMinor(stores, currency),
          wallets: formatMinor(wallets, currency),
          fees: formatMinor(fees, currency),
          gifts: formatMinor(gifts, currency),
          external: formatMinor(-(stores + wallets + fees + gifts), currency),
        })),
      })
    },
  })

  route('GET /operator/nodes', {
    operationId: 'listNodes',
    summary: 'List server processes',
    permission: 'read',
    description: 'Lists the processes with their state and their load in the last minute.',
    data: Nodes,
    handler: async ({ service, reply }) => {
      const { database } = service
      const [nodes, loads] = await Promise.all([listNodes(database), readLoad(database, 1)])
      return succeed(reply, 'Nodes', {
        nodes: nodes.map((node) => ({
          node_id: node.nodeId,
          host: node.host,
          pid: node.pid,
          version: node.version,
          started_at: wireTime(node.startedAt),
          seen_at: wireTime(node.seenAt),
          state: stateOf(node),
          memory_bytes: node.memoryBytes,
          forwarded_at: node.forwardedAt && wireTime(node.forwardedAt),
          ...loadFields(loads.filter(({ nodeId }) => nodeId === node.nodeId)),
        })),
      })
    },
  })

  route('GET /operator/load', {
    operationId: 'getLoad',
    summary: 'Get the load of the last hour',
    permission: 'read',
    description: 'Returns request rates and response times by minute, for all processes together.',
    data: Load,
    handler: async ({ service, reply }) => {
      const loads = await readLoad(service.database, LOAD_MINUTES)
      const times = [...new Set(loads.map((load) => wireTime(load.at)))]
      return succeed(reply, 'Load', {
        minutes: times.map((at) => ({
          at,
          ...loadFields(loads.filter((load) => wireTime(load.at) === at)),
        })),
      })
    },
  })
}

type State = Nodes['nodes'][number]['state']

function stateOf({ silentMs, isReady }: { silentMs: number; isReady: boolean }): State {
  if (silentMs > SILENT_MS) return 'silent'
  return isReady ? 'ready' : 'not_ready'
}
