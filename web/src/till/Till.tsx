import type { TillSettings } from '@florin/contract/till.js'
import './till.css'
import './payment.css'
import './items.css'
import './screens.css'
import './arrivals.css'
import { useEffect } from 'react'
import { useResource } from '../kit/query.ts'
import { useRoute } from '../kit/router.ts'
import { useCurrentAccount, useLiveUpdates } from '../kit/store/live.ts'
import { AccountPage } from './AccountPage.tsx'
import { Arrivals } from './Arrivals.tsx'
import { updateDisplay } from './channel.ts'
import { Display } from './Display.tsx'
import { Frame } from './Frame.tsx'
import { Home } from './Home.tsx'
import { useLanguage } from './language.ts'
import { PaymentPage } from './PaymentPage.tsx'
import { ReceiptPage } from './Receipt.tsx'
import { RefundPage } from './RefundPage.tsx'
import { Sale } from './Sale.tsx'
import { Sales } from './Sales.tsx'
import { SoundButton } from './SoundButton.tsx'
import { SessionProvider, useSession, useShop } from './session.tsx'
import { TipPage } from './TipPage.tsx'

const TILL_REFRESH_MS = 60_000
const NO_SETTINGS: TillSettings = { items: [], tip_percentages: [] }

export function Till() {
  const [screen] = useRoute().path
  // The customer screen has no session. The till sends it everything.
  if (screen === 'display') return <Display />
  return (
    <SessionProvider>
      <SignedIn />
    </SessionProvider>
  )
}

function SignedIn() {
  const { mode } = useSession()
  // A till behind another tab still announces payments by sound.
  useLiveUpdates({ isHiddenUpdated: true })
  useCurrentAccount()
  return (
    <>
      <Arrivals key={mode} />
      <Screen />
    </>
  )
}

function Screen() {
  const [screen, id = ''] = useRoute().path
  const shop = useShop()
  // Loaded here and not on each screen, so that the quick items are known when the home screen opens.
  const till = useResource<TillSettings>('till', TILL_REFRESH_MS)
  useEffect(() => {
    if (screen !== 'sale' && screen !== 'tip') updateDisplay({ kind: 'welcome', ...shop })
  }, [screen, shop])
  switch (screen) {
    case 'sale':
      return <Sale id={id} />
    case 'sales':
      return <SalesPage />
    case 'payment':
      return <PaymentPage id={id} />
    case 'receipt':
      return <ReceiptPage id={id} />
    case 'refund':
      return <RefundPage id={id} />
    case 'you':
      return <AccountPage />
  }
  if (till.data === null && till.problem === null) return null
  // Without a connection the keypad still works.
  const settings = till.data ?? NO_SETTINGS
  return screen === 'tip' ? <TipPage settings={settings} /> : <Home settings={settings} />
}

function SalesPage() {
  const { translate } = useLanguage()
  return (
    <Frame title={translate('sales')} back="#home" tools={<SoundButton />}>
      <div className="narrow">
        <Sales />
      </div>
    </Frame>
  )
}
