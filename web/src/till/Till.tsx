import '../kit/styles/staff.css'
import './till.css'
import './screens.css'
import { useEffect } from 'react'
import { tellDisplay } from './channel.ts'
import { Display } from './Display.tsx'
import { Frame } from './Frame.tsx'
import { Home } from './Home.tsx'
import { useLanguage } from './language.ts'
import { PaymentPage } from './PaymentPage.tsx'
import { ReceiptPage } from './Receipt.tsx'
import { RefundPage } from './RefundPage.tsx'
import { useRoute } from './route.ts'
import { Sale } from './Sale.tsx'
import { Sales } from './Sales.tsx'
import { SessionProvider, useSession } from './session.tsx'
import { You } from './You.tsx'

export function Till() {
  const { screen } = useRoute()
  // Before any session: it is shown to customers and knows only what the till tells it.
  if (screen === 'display') return <Display />
  return (
    <SessionProvider>
      <Screen />
    </SessionProvider>
  )
}

function Screen() {
  const { screen, id } = useRoute()
  const { who, mode } = useSession()
  const store = who.store.name
  useEffect(() => {
    if (screen !== 'sale') tellDisplay({ kind: 'welcome', store, isSandbox: mode === 'sandbox' })
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
      return <You />
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
