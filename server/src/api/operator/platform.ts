import { answer, errors } from '@florin/contract/common.js'
import { Load, Nodes, PlatformBalances } from '@florin/contract/operators.js'
import type { FastifyInstance } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { loadFields } from '../../platform/load.ts'
import type { Service } from '../../service.ts'
import { listNodes, readLoad } from '../../sql/nodes.ts'
import { readPlatformBalances } from '../../sql/platform.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { succeed } from '../kit/replies.ts'

const SILENT_MS = 30_000
const LOAD_MINUTES = 60

/** How the service as a whole is doing. */
export async function operatorPlatformRoutes(
  app: FastifyInstance,
  { database }: Service,
): Promise<void> {
  app.get(
    '/operator/balances',
    {
      schema: {
        ...docs,
        operationId: 'getPlatformBalances',
        summary: 'Whose money lies in the ledger, by mode and currency',
        response: { 200: answer(PlatformBalances), ...errors() },
      },
    },
    async (_request, reply) => {
      const rows = await readPlatformBalances(database)
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
  )

  app.get(
    '/operator/nodes',
    {
      schema: {
        ...docs,
        operationId: 'listNodes',
        summary:
          'The processes that serve, how they are, and what they answered in the last minute',
        response: { 200: answer(Nodes), ...errors() },
      },
    },
    async (_request, reply) => {
      const [nodes, loads] = await Promise.all([listNodes(database), readLoad(database, 1)])
      return succeed(reply, 'Nodes', {
        nodes: nodes.map((node) => ({
          node_id: node.nodeId,
          host: node.host,
          pid: node.pid,
          version: node.version,
          started_at: wireTime(node.startedAt),
          seen_at: wireTime(node.seenAt),
          state: node.silentMs > SILENT_MS ? 'silent' : node.isReady ? 'ready' : 'not_ready',
          memory_bytes: node.memory,
          forwarded_at: node.forwardedAt && wireTime(node.forwardedAt),
          ...loadFields(loads.filter(({ nodeId }) => nodeId === node.nodeId)),
        })),
      })
    },
  )

  app.get(
    '/operator/load',
    {
      schema: {
        ...docs,
        operationId: 'getLoad',
        summary: 'How much was answered and how fast, over the last hour',
        response: { 200: answer(Load), ...errors() },
      },
    },
    async (_request, reply) => {
      const loads = await readLoad(database, LOAD_MINUTES)
      const times = [...new Set(loads.map((load) => wireTime(load.at)))]
      const minutes = times.map((at) => ({
        at,
        ...loadFields(loads.filter((load) => wireTime(load.at) === at)),
      }))
      return succeed(reply, 'Load', { minutes })
    },
  )
}
