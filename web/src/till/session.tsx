import type { Mode } from '@florin/server/core/ids.js'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { storedText } from '../kit/storage.ts'
import * as store from '../kit/store/session.tsx'
import { storedDraft } from './draft.ts'
import { useLanguage } from './language.ts'

type ModeChoice = { readonly mode: Mode; readonly setMode: (mode: Mode) => void }

const Context = createContext<ModeChoice | null>(null)

// Per tab: a new day starts in live mode, not in yesterday's sandbox.
const storedMode = storedText('florin.till.mode', 'sessionStorage')

/** The session of the cashier and the mode of the till. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { say } = useLanguage()
  const [mode, setMode] = useState<Mode>(storedMode.get() === 'sandbox' ? 'sandbox' : 'live')
  const choice: ModeChoice = {
    mode,
    setMode: (next) => {
      storedMode.set(next)
      setMode(next)
    },
  }
  // The next cashier starts with an empty amount. An expired session keeps its sale.
  return (
    <store.SessionProvider title={say('title')} onSignOut={storedDraft.remove}>
      <Context value={choice}>{children}</Context>
    </store.SessionProvider>
  )
}

export function useSession() {
  return { ...store.useSession(), ...useContext(Context)! }
}
