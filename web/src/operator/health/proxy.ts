import { parseTime } from '../../app/when.ts'
import type { Node } from '../types.ts'

const RECENT_MS = 3_600_000

/** Whether a process saw headers of a proxy within the hour that it was not told to trust. */
export const isBehindProxy = (nodes: readonly Node[]) =>
  nodes.some(
    ({ forwarded_at: at }) => at !== null && Date.now() - parseTime(at).getTime() < RECENT_MS,
  )
