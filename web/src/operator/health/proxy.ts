import type { Node } from '@florin/contract/platform.js'
import { parseTime } from '../../kit/time.ts'

const RECENT_MS = 3_600_000

/** Whether a process received headers of an untrusted proxy in the last hour. */
export const isBehindUntrustedProxy = (nodes: readonly Node[]) =>
  nodes.some(
    ({ forwarded_at: at }) => at !== null && Date.now() - parseTime(at).getTime() < RECENT_MS,
  )
