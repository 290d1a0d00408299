import type { Queryable } from '@florin/server/database/database.js'
import { listNodes } from '@florin/server/sql/nodes.js'
import { type Finding, warning } from './finding.ts'

const RECENT_MS = 3_600_000

/** Warns if requests carry proxy headers while FLORIN_TRUST_PROXY is 0. */
export async function checkProxy(database: Queryable): Promise<Finding[]> {
  const nodes = await listNodes(database)
  const isRecent = ({ forwardedAt, seenAt, silentMs }: (typeof nodes)[number]) =>
    forwardedAt !== null && seenAt.getTime() + silentMs - forwardedAt.getTime() < RECENT_MS
  if (!nodes.some(isRecent)) return []
  return [
    warning(
      'proxy',
      'requests carry X-Forwarded-For or Forwarded, but FLORIN_TRUST_PROXY is 0',
      'Set FLORIN_TRUST_PROXY to the number of proxies in front: until then all clients share one address and its limits.',
    ),
  ]
}
