import type { AccountState } from '@florin/contract/account.js'
import type { REFUSALS } from '@florin/contract/refusals.js'
import { parseJsonExactly } from '@florin/server/core/json.js'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { AccountContext } from './account/context.ts'
import { ChoosePassword } from './ChoosePassword.tsx'
import { createQueryClient, RequestContext } from './query.ts'
import { type ApiResponse, type Problem, request, type SendRequest } from './request.ts'
import { navigate, useRoute } from './router.ts'
import { SignIn, Unreachable } from './SignIn.tsx'
import { parseTime } from './time.ts'

type SignedIn = {
  readonly account: AccountState
  readonly session: { readonly session_id: string }
}

const CONFIRMATION_NEEDED = 428
/** The type keeps the message equal to the server's. */
const FACTOR_NEEDED: (typeof REFUSALS)['second_factor_required'][1] = 'Set up a second factor first'

/** Whether the browser sent the cookie of a session with the request for this page. Scripts can't read it. */
const hasSession = document.getElementById('app')!.dataset.session !== undefined

// Loaded only when they are needed, to keep the first load small.
const ReauthenticationDialog = lazy(async () => {
  const { ReauthenticationDialog } = await import('./account/ReauthenticationDialog.tsx')
  return { default: ReauthenticationDialog }
})
const FirstSteps = lazy(async () => {
  const { FirstSteps } = await import('./account/FirstSteps.tsx')
  return { default: FirstSteps }
})

const isOverdue = (dueAt: string | null): boolean =>
  dueAt !== null && parseTime(dueAt).getTime() <= Date.now()

/** The first part of the URL fragments in emails, such as `#invitation/TOKEN`. */
const MAIL_LINKS = ['invitation', 'reset']

type Session<Account> = {
  readonly account: Account
  /**
   * `request` below the area's path. If the session has expired, the sign-in page replaces the app. If the server requires
   * a confirmation, a dialog asks for it, and the request is retried.
   */
  readonly request: SendRequest
  readonly signOut: () => Promise<Problem | null>
}

type Props = {
  /** The title of the sign-in page. */
  title: string
  /** Called when the user signs out, not when a session expires. */
  onSignOut?: () => void
  children: ReactNode
}

/** Sign-in to one area of the API: `store` for people of stores, `operator` for operators. */
export function createSession<Account extends SignedIn>(
  area: 'store' | 'operator',
  idOf: (account: Account) => string,
) {
  const Context = createContext<Session<Account> | null>(null)
  const path = `${area}/session`

  /** Shows its children once the user is signed in, and the sign-in page until then. */
  function SessionProvider({ title, onSignOut, children }: Props) {
    const [account, setAccount] = useState<Account | 'unknown' | 'signedOut' | 'expired'>(
      hasSession ? 'unknown' : 'signedOut',
    )
    const [loadProblem, setLoadProblem] = useState<Problem | null>(null)
    const [endConfirmation, setEndConfirmation] = useState<((isConfirmed: boolean) => void) | null>(
      null,
    )
    // Several requests share one dialog.
    const confirmation = useRef<Promise<boolean> | null>(null)
    const [chosenFor, setChosenFor] = useState<string | null>(null)
    // The second factor can become overdue while the page is open, and the clock of a tablet can be wrong.
    const [isFactorNeeded, setFactorNeeded] = useState(false)
    const [first = '', token = ''] = useRoute().path

    const loadSession = useCallback(async () => {
      const response = await request<Account>(path)
      // As a transition, the first render of the app doesn't block the browser on slow phones.
      if (response.ok) {
        return startTransition(() => {
          setAccount(response.data)
          setFactorNeeded(false)
        })
      }
      if (response.problem.status === 401) setAccount('signedOut')
      else setLoadProblem(response.problem)
    }, [])
    useEffect(() => {
      if (hasSession) void loadSession()
    }, [loadSession])

    /** Continues with the session of the browser if it belongs to the same person, who may have started it in another tab. */
    const continueWith = useCallback((response: ApiResponse<Account>) => {
      setAccount((before) => {
        if (typeof before !== 'object') return before
        return response.ok && idOf(response.data) === idOf(before) ? response.data : 'expired'
      })
      if (response.ok) setFactorNeeded(false)
    }, [])
    const replaceSession = useCallback(
      async () => continueWith(await request<Account>(path)),
      [continueWith],
    )
    const refresh = useCallback(async () => {
      const response = await request<Account>(path)
      if (response.ok || response.problem.status === 401) continueWith(response)
    }, [continueWith])

    // All tabs share one cookie, and another tab may have signed in as someone else. Every request
    // names the session of this tab, so that the server can refuse it.
    const session = typeof account === 'object' ? account.session.session_id : undefined
    const send: SendRequest = useCallback(
      async (path, options) => {
        const response = await request<never>(`${area}/${path}`, {
          ...options,
          ...(session !== undefined && { session }),
          // A merchant's payload can contain numbers that a double can't hold.
          parse: parseJsonExactly,
        })
        if (!response.ok && response.problem.status === 401) await replaceSession()
        if (!response.ok && response.problem.message === FACTOR_NEEDED) setFactorNeeded(true)
        return response
      },
      [session, replaceSession],
    )
    const sendConfirmed: SendRequest = useCallback(
      async (path, options) => {
        const response = await send<never>(path, options)
        if (response.ok || response.problem.status !== CONFIRMATION_NEEDED) return response
        confirmation.current ??= new Promise((resolve) => setEndConfirmation(() => resolve))
        const isConfirmed = await confirmation.current
        confirmation.current = null
        setEndConfirmation(null)
        return isConfirmed ? send(path, options) : response
      },
      [send],
    )

    if (MAIL_LINKS.includes(first)) {
      const finish = (email: string) => {
        setChosenFor(email || null)
        // The new password has ended all sessions.
        if (email !== '') setAccount('signedOut')
        navigate('#/', { replace: true })
      }
      return <ChoosePassword area={area} token={token} onDone={finish} />
    }
    if (account === 'unknown') {
      return (
        loadProblem && (
          <Unreachable title={title} problem={loadProblem} retry={() => void loadSession()} />
        )
      )
    }
    if (account === 'signedOut' || account === 'expired') {
      return (
        <SignIn
          title={title}
          path={path}
          hasExpired={account === 'expired'}
          chosenFor={chosenFor}
          onSignedIn={(signedIn: Account) => {
            setChosenFor(null)
            setAccount(signedIn)
            setFactorNeeded(false)
          }}
        />
      )
    }

    const signOut = async (): Promise<Problem | null> => {
      const end = (session: string) => request(path, { method: 'DELETE', session })
      let response = await end(account.session.session_id)
      if (!response.ok && response.problem.status === 401) {
        // The same person may have signed in again in another tab. That session must end too.
        const current = await request<Account>(path)
        if (current.ok && idOf(current.data) === idOf(account)) {
          response = await end(current.data.session.session_id)
        }
      }
      if (!response.ok && response.problem.status !== 401) return response.problem
      onSignOut?.()
      setAccount('signedOut')
      return null
    }
    const state = account.account
    const isBlocked =
      state.password_change_required || isFactorNeeded || isOverdue(state.second_factor_due_at)
    const accountContext = { state, request: sendConfirmed, refresh, signOut }
    return (
      <Context value={{ account, request: sendConfirmed, signOut }}>
        <RequestContext value={sendConfirmed}>
          <AccountContext value={accountContext}>
            <QueryScope key={session}>
              {isBlocked ? (
                <Suspense>
                  <FirstSteps />
                </Suspense>
              ) : (
                children
              )}
              {endConfirmation && (
                <Suspense>
                  <ReauthenticationDialog onDone={endConfirmation} />
                </Suspense>
              )}
            </QueryScope>
          </AccountContext>
        </RequestContext>
      </Context>
    )
  }

  function useSession(): Session<Account> {
    const session = useContext(Context)
    if (session === null) throw new Error('useSession needs a SessionProvider')
    return session
  }

  return { SessionProvider, useSession }
}

/** One query client per session: the next user never sees data of the last one. */
function QueryScope({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
