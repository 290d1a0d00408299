import { createContext, type ReactNode, useContext, useState } from 'react'
import type { Mode } from '../kit/store/payment.ts'
import * as people from '../kit/store/session.tsx'
import { forgetDraft } from './draft.ts'
import { keep, kept } from './kept.ts'
import { useLanguage } from './language.ts'

type ModeChoice = { readonly mode: Mode; readonly setMode: (mode: Mode) => void }

const Context = createContext<ModeChoice | null>(null)

/** Who stands at the till, and in which mode it is: the tab remembers that one. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { say } = useLanguage()
  const [mode, setMode] = useState<Mode>(() => (kept('mode') === 'sandbox' ? 'sandbox' : 'live'))
  const choice: ModeChoice = {
    mode,
    setMode: (next) => {
      keep('mode', next)
      setMode(next)
    },
  }
  // Who comes next begins with nothing typed. A session that only ended keeps its sale.
  return (
    <people.SessionProvider title={say('title')} onSignOut={forgetDraft}>
      <Context value={choice}>{children}</Context>
    </people.SessionProvider>
  )
}

export function useSession() {
  return { ...people.useSession(), ...useContext(Context)! }
}
