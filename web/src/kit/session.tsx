import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { type Problem, request } from './request.ts'
import type { Ask } from './resource.ts'
import { SignIn, Unreachable } from './SignIn.tsx'

type Holder = { readonly session: { readonly session_id: string } }

type Session<Who> = {
  readonly who: Who
  /** As `request`, below the area; where the session is over, the sign-in takes the screen and gives it back. */
  readonly ask: Ask
  readonly signOut: () => Promise<Problem | null>
}

type Props = {
  /** What the page is called that asks to sign in. */
  title: string
  /** Somebody went on purpose; a session that only ended does not come here. */
  onSignOut?: () => void
  children: ReactNode
}

/** Signing in to one part of the API: what the people of stores have, or what operators have. */
export function createSession<Who extends Holder>(area: 'store' | 'operator') {
  const Context = createContext<Session<Who> | null>(null)
  const path = `${area}/session`

  /** Shows its children to who is signed in, and asks everybody else to. */
  function SessionProvider({ title, onSignOut, children }: Props) {
    const [who, setWho] = useState<Who | 'unknown' | 'out' | 'ended'>('unknown')
    const [unreachable, setUnreachable] = useState<Problem | null>(null)

    const findOut = useCallback(async () => {
      const answer = await request<Who>(path)
      if (answer.ok) return setWho(answer.data)
      if (answer.problem.status === 401) setWho('out')
      else setUnreachable(answer.problem)
    }, [])
    useEffect(() => void findOut(), [findOut])

    // All tabs share one cookie, and somebody may have signed in elsewhere since: said with every change,
    // the server refuses what this tab would do in the name of another.
    const sessionId = typeof who === 'object' ? who.session.session_id : undefined
    const ask: Ask = useCallback(
      async (below, call) => {
        const believed = sessionId === undefined ? {} : { session: sessionId }
        const answer = await request<never>(`${area}/${below}`, { ...call, ...believed })
        if (!answer.ok && answer.problem.status === 401) setWho('ended')
        return answer
      },
      [sessionId],
    )

    if (who === 'unknown') {
      return (
        unreachable && (
          <Unreachable title={title} problem={unreachable} again={() => void findOut()} />
        )
      )
    }
    if (who === 'out' || who === 'ended') {
      return <SignIn<Who> title={title} path={path} hasEnded={who === 'ended'} enter={setWho} />
    }

    const session: Session<Who> = {
      who,
      ask,
      signOut: async () => {
        const call = { method: 'DELETE', session: who.session.session_id } as const
        const answer = await request(path, call)
        const isOut = answer.ok || answer.problem.status === 401
        if (isOut) {
          onSignOut?.()
          setWho('out')
        }
        return answer.ok || isOut ? null : answer.problem
      },
    }
    return <Context value={session}>{children}</Context>
  }

  function useSession(): Session<Who> {
    const session = useContext(Context)
    if (session === null) throw new Error('useSession needs a SessionProvider around it')
    return session
  }

  return { SessionProvider, useSession }
}
