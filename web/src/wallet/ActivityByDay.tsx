import type { ActivityEntry } from '@florin/contract/walletActivity.js'
import { timeText } from '@florin/shared/time.js'
import { Button } from '../kit/controls.tsx'
import { LOCAL_TIME_ZONE, parseTime } from '../kit/time.ts'
import { ActivityList } from './ActivityList.tsx'
import { useLanguage } from './language.ts'
import { isLoadProblem } from './refusals.ts'
import { activityDay } from './time.ts'
import type { useActivity } from './useActivity.ts'

/** The loaded transfers by day, and a button for more. */
export function ActivityByDay({
  entries,
  cursor,
  archivedBefore,
  state,
  loadMore,
}: ReturnType<typeof useActivity>) {
  const { translate, locale } = useLanguage()
  const place = { locale, timeZone: LOCAL_TIME_ZONE }
  return (
    <>
      {groupByDay(entries).map(([day, dayEntries]) => (
        <section key={day} className="day">
          <h2 className="soft">{activityDay(dayEntries[0]!.at, locale)}</h2>
          <ActivityList activity={dayEntries} />
        </section>
      ))}
      <div aria-live="polite">
        {state === 'ready' && entries.length === 0 && (
          <p className="soft">{translate('nothingYet')}</p>
        )}
        {state === 'ready' && cursor === null && archivedBefore !== null && (
          <p className="soft small">
            {translate('archivedBefore', { time: timeText(parseTime(archivedBefore), place) })}
          </p>
        )}
        {isLoadProblem(state) && <p className="soft">{translate(state)}</p>}
      </div>
      {(cursor !== null || state !== 'ready') && (
        <Button look="quiet" isWide isBusy={state === 'loading'} onClick={loadMore}>
          {translate(isLoadProblem(state) ? 'tryAgain' : 'loadMore')}
        </Button>
      )}
    </>
  )
}

function groupByDay(activity: readonly ActivityEntry[]): [string, ActivityEntry[]][] {
  const days = new Map<string, ActivityEntry[]>()
  for (const entry of activity) {
    const day = activityDay(entry.at, 'en')
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}
