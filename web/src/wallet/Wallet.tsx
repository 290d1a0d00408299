import './wallet.css'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { ActivityPage } from './ActivityPage.tsx'
import { getMe, type Me } from './api.ts'
import { Home } from './Home.tsx'
import { useLanguage } from './language.ts'
import { PayPage } from './PayPage.tsx'
import { Problem } from './Problem.tsx'
import { goInstead, useFocusOnHeading, useRoute } from './route.ts'
import { SignIn } from './SignIn.tsx'
import { forgetSignedIn, mayBeSignedIn, rememberSignedIn } from './signedIn.ts'
import { TypeNumber } from './TypeNumber.tsx'

// The decoder and the camera's side are most of the app, and many only want to see their balance.
const Scan = lazy(() => import('./Scan.tsx'))

type Who = Me | 'asking' | 'nobody' | 'ended' | 'lost'

export function Wallet() {
  const { say } = useLanguage()
  const [who, setWho] = useState<Who>(() => (mayBeSignedIn() ? 'asking' : 'nobody'))
  const route = useRoute()

  const refresh = useCallback(async () => {
    const { status, data } = await getMe()
    if (data !== null) {
      return setWho((before) => {
        // An answer that was on its way when the session ended brings nobody back.
        if (before === 'nobody' || before === 'ended') return before
        // Somebody else signed in in another tab: this one must not turn into theirs unasked.
        const isOther = typeof before === 'object' && before.wallet_id !== data.wallet_id
        return isOther ? 'ended' : data
      })
    }
    if (status !== 401) return setWho((before) => (typeof before === 'object' ? before : 'lost'))
    forgetSignedIn()
    setWho((before) => (before === 'asking' ? 'nobody' : 'ended'))
  }, [])
  // Not forgotten on the device: another tab may well be signed in.
  const end = useCallback(() => setWho('ended'), [])
  useEffect(() => {
    if (who === 'asking') void refresh()
  }, [who, refresh])
  useFocusOnHeading(typeof who === 'object' ? route : '')

  if (who === 'asking') return <p className="unseen">{say('loading')}</p>
  if (who === 'lost') return <Problem refusal="lost" onRetry={() => setWho('asking')} />
  if (who === 'nobody' || who === 'ended') {
    const enter = (me: Me) => {
      rememberSignedIn()
      setWho(me)
    }
    return <SignIn hasEnded={who === 'ended'} onSignedIn={enter} />
  }

  const leave = () => {
    forgetSignedIn()
    goInstead('')
    setWho('nobody')
  }
  const shared = { me: who, refresh }
  const [page, code] = route.split('/')
  switch (page) {
    case 'scan':
      return (
        <Suspense>
          <Scan me={who} />
        </Suspense>
      )
    case 'type':
      return <TypeNumber me={who} />
    case 'activity':
      return <ActivityPage {...shared} />
    case 'pay':
      // Another code is another payment: nothing of the one before may stay on the page.
      return <PayPage key={code} me={who} onSignedOut={end} text={code ?? ''} />
    default:
      return <Home {...shared} onSignedOut={leave} />
  }
}
