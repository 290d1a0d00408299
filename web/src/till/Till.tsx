import '../kit/styles/staff.css'
import './till.css'
import './screens.css'
import { useEffect } from 'react'
import { useRoute } from '../kit/router.ts'
import { AccountPage } from './AccountPage.tsx'
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
import { SessionProvider, useSession } from './session.tsx'

export function Till() {
  const [screen] = useRoute().path
  // The customer display has no session. The till sends it everything.
  if (screen === 'display') return <Display />
  return (
    <SessionProvider>
      <Screen />
    </SessionProvider>
  )
}

function Screen() {
  const [screen, id = ''] = useRoute().path
  const { account, mode } = useSession()
  const store = account.store.name
  useEffect(() => {
    if (screen !== 'sale') updateDisplay({ kind: 'welcome', store, isSandbox: mode === 'sandbox' })
  }, [screen, store, mode])
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
    default:
      return <Home />
  }
}

function SalesPage() {
  const { say } = useLanguage()
  return (
    <Frame title={say('sales')} back="#home">
      <div className="narrow">
        <Sales />
      </div>
    </Frame>
  )
}
