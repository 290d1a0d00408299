import { useCallback, useEffect, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Page } from '../kit/Page.tsx'
import { ActivityList } from './ActivityList.tsx'
import { type Activity, getActivity, type Me } from './api.ts'
import { Back } from './Back.tsx'
import { dayText } from './days.ts'
import { useLanguage } from './language.ts'

type Props = { me: Me; refresh: () => Promise<void> }

export function ActivityPage({ me, refresh }: Props) {
  const language = useLanguage()
  const { say, locale } = language
  const [activity, setActivity] = useState<Activity[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'lost'>('loading')

  const load = useCallback(
    async (from: string | null) => {
      setState('loading')
      const { status, data } = await getActivity(from)
      if (status === 401) return refresh()
      if (data === null) return setState('lost')
      setActivity((before) => (from === null ? data.activity : [...before, ...data.activity]))
      setCursor(data.next_cursor)
      setState('ready')
    },
    [refresh],
  )
  useEffect(() => void load(null), [load])

  return (
    <Page title={say('activity')} language={language} isSandbox={me.mode === 'sandbox'}>
      <Back />
      {byDay(activity).map(([day, some]) => (
        <section key={day} className="day">
          <h2 className="soft">{dayText(some[0]!.at, locale)}</h2>
          <ActivityList activity={some} />
        </section>
      ))}
      <div aria-live="polite">
        {state === 'ready' && activity.length === 0 && <p className="soft">{say('nothingYet')}</p>}
        {state === 'lost' && <p className="soft">{say('noAnswer')}</p>}
      </div>
      {(cursor !== null || state !== 'ready') && (
        <Button look="quiet" isWide isBusy={state === 'loading'} onClick={() => void load(cursor)}>
          {say(state === 'lost' ? 'tryAgain' : 'loadMore')}
        </Button>
      )}
    </Page>
  )
}

function byDay(activity: readonly Activity[]): [string, Activity[]][] {
  const days = new Map<string, Activity[]>()
  for (const one of activity) {
    const day = dayText(one.at, 'en')
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return [...days]
}
