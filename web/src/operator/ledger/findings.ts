import type { LedgerAudit } from '@florin/contract/platform.js'
import { MAX_FINDINGS } from '@florin/contract/values.js'

/** Whether there may be more findings than the audit reports. */
export function isCutOff({ findings }: Pick<LedgerAudit, 'findings'>): boolean {
  const counts = new Map<string, number>()
  for (const { check } of findings) counts.set(check, (counts.get(check) ?? 0) + 1)
  return [...counts.values()].some((count) => count >= MAX_FINDINGS)
}
