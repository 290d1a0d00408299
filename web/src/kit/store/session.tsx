import type { Role } from '@florin/server/core/person.js'
import { type Asked, useAnswer } from '../resource.ts'
import { createSession } from '../session.tsx'
import { useLanguage } from '../staffLanguage.ts'
import type { Mode } from './payment.ts'

/** Of who works for a store, at its till and at its desk. */
export const { SessionProvider, useSession } = createSession<Who>('store')

/** What a path of the store answers to who is signed in; see `useAnswer`. */
export function useAsked<Data>(path: string, everyMs?: number): Asked<Data> {
  return useAnswer(useSession().ask, path, everyMs)
}

/** Who is signed in, for which store, and what the role may do. */
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

const MODES: readonly Mode[] = ['live', 'sandbox']

type Props = { mode: Mode; setMode: (mode: Mode) => void }

export function ModeSwitch({ mode, setMode }: Props) {
  const { say } = useLanguage()
  return (
    <div className="modes" role="radiogroup" aria-label={say('mode')}>
      {MODES.map((one) => (
        <label key={one} className={`mode mode-${one}`}>
          <input
            type="radio"
            name="mode"
            checked={mode === one}
            onChange={() => setMode(one)}
            className="unseen"
          />
          {one === 'live' ? say('live') : say('sandboxShort')}
        </label>
      ))}
    </div>
  )
}
