import { useEffect, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Icon, Money } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { ActivityList } from './ActivityList.tsx'
import { type Activity, getActivity, type Me, signOut } from './api.ts'
import { isToday } from './days.ts'
import { useLanguage } from './language.ts'
import { go } from './route.ts'

type Props = { me: Me; refresh: () => Promise<void>; onSignedOut: () => void }

export function Home({ me, refresh, onSignedOut }: Props) {
  const language = useLanguage()
  const { say } = language
  const [activity, setActivity] = useState<Activity[] | null>(null)
  const [isLeaving, setIsLeaving] = useState(false)

  useEffect(() => {
    function look() {
      if (document.visibilityState === 'hidden') return
      void refresh()
      void getActivity(null).then(({ data }) => data !== null && setActivity(data.activity))
    }
    look()
    // Money may have moved while somebody looked elsewhere.
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [refresh])

  async function leave() {
    setIsLeaving(true)
    const { status } = await signOut(me.wallet_id)
    setIsLeaving(false)
    if (status === 200 || status === 401) onSignedOut()
  }

  const today = activity?.filter((one) => isToday(one.at))
  return (
    <Page title={me.name} language={language} isSandbox={me.mode === 'sandbox'}>
      <section className="balance" aria-label={say('balance')}>
        <h2 className="soft">{say('balance')}</h2>
        {me.balances.length === 0 && <p className="soft">{say('noBalance')}</p>}
        {me.balances.map(({ currency, balance }, n) => (
          <p key={currency}>
            <Money
              amount={balance}
              currency={currency}
              locale={language.locale}
              isLarge={n === 0}
            />
          </p>
        ))}
      </section>
      <div className="actions">
        <Button isWide onClick={() => go('scan')}>
          <Icon name="scan" />
          {say('scanToPay')}
        </Button>
        <Button isWide look="quiet" onClick={() => go('type')}>
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
        <Button look="quiet" isBusy={isLeaving} onClick={() => void leave()}>
          {say('signOut')}
        </Button>
      </p>
    </Page>
  )
}
