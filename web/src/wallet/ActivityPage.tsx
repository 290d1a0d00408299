import type { ActivityEntry, Wallet } from '@florin/contract/wallet.js'
import { useCallback, useEffect, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Page } from '../kit/Page.tsx'
import { ActivityList } from './ActivityList.tsx'
import { getActivity } from './api.ts'
import { useLanguage } from './language.ts'
import { BackToWallet } from './navigation.tsx'
import { activityDay } from './time.ts'

type Props = { me: Wallet; refresh: () => Promise<void> }

export function ActivityPage({ me, refresh }: Props) {
  const { say, locale } = useLanguage()
  const [activity, setActivity] = useState<ActivityEntry[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')

  const load = useCallback(
    async (from: string | null) => {
      setState('loading')
      const answer = await getActivity(from)
      if (!answer.ok) return answer.problem.status === 401 ? refresh() : setState('failed')
      const { data } = answer
      setActivity((before) => (from === null ? data.activity : [...before, ...data.activity]))
      setCursor(data.next_cursor)
      setState('ready')
    },
    [refresh],
  )
  useEffect(() => void load(null), [load])

  return (
    <Page title={say('activity')} isSandbox={me.mode === 'sandbox'}>
      <BackToWallet />
      {byDay(activity).map(([day, some]) => (
        <section key={day} className="day">
          <h2 className="soft">{activityDay(some[0]!.at, locale)}</h2>
          <ActivityList activity={some} />
        </section>
      ))}
      <div aria-live="polite">
        {state === 'ready' && activity.length === 0 && <p className="soft">{say('nothingYet')}</p>}
        {state === 'failed' && <p className="soft">{say('noAnswer')}</p>}
      </div>
      {(cursor !== null || state !== 'ready') && (
        <Button look="quiet" isWide isBusy={state === 'loading'} onClick={() => void load(cursor)}>
          {say(state === 'failed' ? 'tryAgain' : 'loadMore')}
        </Button>
      )}
    </Page>
  )
}

function byDay(activity: readonly ActivityEntry[]): [string, ActivityEntry[]][] {
  const days = new Map<string, ActivityEntry[]>()
  for (const one of activity) {
    const day = activityDay(one.at, 'en')
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return [...days]
}
