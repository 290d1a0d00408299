import {
  type ComponentType,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
} from 'react'
import { type Answer, type Call, type Problem, request } from './api.ts'
import { forgetDraft } from './draft.ts'
import { keep, kept } from './kept.ts'
import type { Mode } from './payment.ts'
import { Unreachable } from './Unreachable.tsx'

export type Role = 'owner' | 'manager' | 'cashier' | 'viewer'

export type Who = {
  readonly person: { readonly name: string; readonly email: string; readonly role: Role }
  readonly session: { readonly session_id: string }
  readonly may: readonly string[]
  readonly refund_cap: string | null
  readonly store: {
    readonly id: number
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly domain: string
    readonly currency: string
    readonly time_zone: string
    readonly suspended: boolean
  }
}

type Session = {
  readonly who: Who
  readonly mode: Mode
  readonly setMode: (mode: Mode) => void
  /** As `request`; where the session is over, the sign-in takes the screen and gives it back. */
  readonly ask: <Data>(path: string, call?: Call) => Promise<Answer<Data>>
  readonly signOut: () => Promise<Problem | null>
}

const Context = createContext<Session | null>(null)

export type SignInProps = { readonly hasEnded: boolean; readonly enter: (who: Who) => void }

type Props = { signIn: ComponentType<SignInProps>; children: ReactNode }

/** Shows its children to who is signed in, and `signIn` to everybody else. */
export function SessionProvider({ signIn: SignIn, children }: Props) {
  const [who, setWho] = useState<Who | 'unknown' | 'out' | 'ended'>('unknown')
  const [unreachable, setUnreachable] = useState<Problem | null>(null)
  const [mode, setMode] = useState<Mode>(() => (kept('mode') === 'sandbox' ? 'sandbox' : 'live'))

  const findOut = useCallback(async () => {
    const answer = await request<Who>('session')
    if (answer.ok) return setWho(answer.data)
    if (answer.problem.status === 401) setWho('out')
    else setUnreachable(answer.problem)
  }, [])
  useEffect(() => void findOut(), [findOut])

  // All tabs share one cookie, and somebody may have signed in elsewhere since: said with every change,
  // the server refuses what this tab would do in the name of another.
  const sessionId = typeof who === 'object' ? who.session.session_id : undefined
  const ask: Session['ask'] = useCallback(
    async (path, call) => {
      const believed = sessionId === undefined ? {} : { session: sessionId }
      const answer = await request<never>(path, { ...call, ...believed })
      if (!answer.ok && answer.problem.status === 401) setWho('ended')
      return answer
    },
    [sessionId],
  )

  if (who === 'unknown') {
    return unreachable && <Unreachable problem={unreachable} again={() => void findOut()} />
  }
  if (who === 'out' || who === 'ended') {
    return <SignIn hasEnded={who === 'ended'} enter={setWho} />
  }

  const session: Session = {
    who,
    mode,
    setMode: (next) => {
      keep('mode', next)
      setMode(next)
    },
    ask,
    signOut: async () => {
      const answer = await request('session', {
        method: 'DELETE',
        session: who.session.session_id,
      })
      const isOut = answer.ok || answer.problem.status === 401
      if (isOut) {
        // Who comes next begins with nothing typed. A session that only ended keeps its sale.
        forgetDraft()
        setWho('out')
      }
      return answer.ok || isOut ? null : answer.problem
    },
  }
  return <Context value={session}>{children}</Context>
}

export function useSession(): Session {
  const session = useContext(Context)
  if (session === null) throw new Error('useSession needs a SessionProvider around it')
  return session
}
