import type { ApprovalList } from '@florin/contract/approvals.js'
import { useResource } from '../../kit/query.ts'

export const REFRESH_MS = 30_000

/** Pending approvals, and the number of those that the signed-in operator can decide. */
export function usePendingApprovals() {
  const resource = useResource<ApprovalList>('approvals?state=pending&limit=100', REFRESH_MS)
  const count = resource.data?.approvals.filter((approval) => approval.can_decide).length ?? 0
  return { resource, count }
}
