import type { Mode } from '@florin/server/core/ids.js'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { navigate } from '../kit/router.ts'
import { storedText } from '../kit/storage.ts'
import * as store from '../kit/store/session.tsx'
import type { Shop } from './channel.ts'
import { forgetDrafts } from './draft.ts'
import { useLanguage } from './language.ts'

type ModeChoice = { readonly mode: Mode; readonly setMode: (mode: Mode) => void }

const Context = createContext<ModeChoice | null>(null)

// Per tab: a new tab starts in live mode, even if the last one was in the sandbox.
const storedMode = storedText('florin.till.mode', 'sessionStorage')

/** The session of the cashier and the mode of the till. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { translate } = useLanguage()
  const [mode, setMode] = useState<Mode>(storedMode.get() === 'sandbox' ? 'sandbox' : 'live')
  const choice: ModeChoice = {
    mode,
    setMode: (next) => {
      storedMode.set(next)
      setMode(next)
    },
  }
  /** The next cashier starts at the keypad, in live mode, with an empty amount. An expired session keeps its sale. */
  function forgetCashier(): void {
    forgetDrafts()
    choice.setMode('live')
    navigate('home', { replace: true })
  }
  return (
    <store.SessionProvider title={translate('title')} onSignOut={forgetCashier}>
      <Context value={choice}>{children}</Context>
    </store.SessionProvider>
  )
}

export function useSession() {
  return { ...store.useSession(), ...useContext(Context)! }
}

/** The store and the mode, as screens for the customer show them. */
export function useShop(): Shop {
  const { account, mode } = useSession()
  const { name, logo } = account.store
  return useMemo(() => ({ store: name, logo, isSandbox: mode === 'sandbox' }), [name, logo, mode])
}
