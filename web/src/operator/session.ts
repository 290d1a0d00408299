import type { SignedInOperator } from '@florin/contract/operators.js'
import { createSession } from '../kit/session.tsx'

export const { SessionProvider, useSession } = createSession<SignedInOperator>('operator')
