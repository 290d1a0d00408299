import type { SignedInOperator } from '@florin/contract/operators.js'
import type { Permission } from '@florin/server/core/operator.js'
import { createSession } from '../kit/session.tsx'

export const { SessionProvider, useSession } = createSession<SignedInOperator>(
  'operator',
  ({ operator }) => operator.operator_id,
)

/** Whether the role of the signed-in operator has this permission. The server checks it again. */
export function useCan(permission: Permission): boolean {
  return useSession().account.operator.permissions.includes(permission)
}
