import type { Permission } from '@florin/server/core/operator.js'
import type { ReactNode } from 'react'
import { useCan } from './session.ts'

type Props = { permission: Permission; children: ReactNode }

/** Shows its children only to operators with this permission. */
export function Allowed({ permission, children }: Props) {
  return useCan(permission) && children
}
