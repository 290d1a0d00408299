import { createSession } from '../kit/session.tsx'

type OperatorSession = {
  readonly operator: {
    readonly operator_id: string
    readonly name: string
    readonly email: string
  }
  readonly session: { readonly session_id: string }
}

export const { SessionProvider, useSession } = createSession<OperatorSession>('operator')
