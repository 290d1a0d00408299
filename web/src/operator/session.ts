import { type Asked, useAnswer } from '../kit/resource.ts'
import { createSession } from '../kit/session.tsx'

export type Who = {
  readonly operator: {
    readonly operator_id: string
    readonly name: string
    readonly email: string
  }
  readonly session: { readonly session_id: string }
}

export const { SessionProvider, useSession } = createSession<Who>('operator')

/** What a path of the operator's API answers; see `useAnswer`. */
export function useAsked<Data>(path: string, everyMs?: number): Asked<Data> {
  return useAnswer(useSession().ask, path, everyMs)
}

/** Times are shown where the operator is: the service itself has no place. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
