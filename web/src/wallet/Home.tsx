import type { ActivityEntry, Wallet } from '@florin/contract/wallet.js'
import { useEffect, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Icon, Money } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { navigate } from '../kit/router.ts'
import { ActivityList } from './ActivityList.tsx'
import { getActivity, signOut } from './api.ts'
import { useLanguage } from './language.ts'
import { isToday } from './time.ts'

type Props = { me: Wallet; refresh: () => Promise<void>; onSignedOut: () => void }

export function Home({ me, refresh, onSignedOut }: Props) {
  const { say } = useLanguage()
  const [activity, setActivity] = useState<ActivityEntry[] | null>(null)
  const [isSigningOut, setSigningOut] = useState(false)

  useEffect(() => {
    function load() {
      if (document.visibilityState === 'hidden') return
      void refresh()
      void getActivity(null).then((answer) => answer.ok && setActivity(answer.data.activity))
    }
    load()
    // Money can move while the page is hidden.
    document.addEventListener('visibilitychange', load)
    return () => document.removeEventListener('visibilitychange', load)
  }, [refresh])

  async function leave() {
    setSigningOut(true)
    const answer = await signOut(me.wallet_id)
    setSigningOut(false)
    if (answer.ok || answer.problem.status === 401) onSignedOut()
  }

  const today = activity?.filter((one) => isToday(one.at))
  return (
    <Page title={me.name} isSandbox={me.mode === 'sandbox'}>
      <section className="balance" aria-label={say('balance')}>
        <h2 className="soft">{say('balance')}</h2>
        {me.balances.length === 0 && <p className="soft">{say('noBalance')}</p>}
        {me.balances.map(({ currency, balance }, n) => (
          <p key={currency}>
            <Money amount={balance} currency={currency} isLarge={n === 0} />
          </p>
        ))}
      </section>
      <div className="actions">
        <Button isWide onClick={() => navigate('scan')}>
          <Icon name="scan" />
          {say('scanToPay')}
        </Button>
        <Button isWide look="quiet" onClick={() => navigate('type')}>
          <Icon name="keypad" />
          {say('typeNumber')}
        </Button>
      </div>
      <section className="today">
        <div className="row">
          <h2>{say('today')}</h2>
          <a className="more" href="#activity">
            {say('allActivity')}
          </a>
        </div>
        {today?.length === 0 && <p className="soft small">{say('nothingToday')}</p>}
        {today !== undefined && today.length > 0 && <ActivityList activity={today} />}
      </section>
      <p className="leave">
        <Button look="quiet" onClick={() => navigate('account')}>
          {say('account')}
        </Button>
        <Button look="quiet" isBusy={isSigningOut} onClick={() => void leave()}>
          {say('signOut')}
        </Button>
      </p>
    </Page>
  )
}
