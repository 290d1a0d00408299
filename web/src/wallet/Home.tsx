import type { Wallet } from '@florin/contract/wallet.js'
import type { ActivityEntry } from '@florin/contract/walletActivity.js'
import { useCallback, useEffect, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Icon, Money, Notice } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { navigate } from '../kit/router.ts'
import { ActivityList } from './ActivityList.tsx'
import { getActivity } from './api.ts'
import { Favourites } from './Favourites.tsx'
import { useLanguage } from './language.ts'
import { useReadOrder, useRecovery } from './live.ts'
import { type LoadProblem, loadProblemOf } from './refusals.ts'
import { isToday } from './time.ts'

type Props = {
  me: Wallet
  /** Why the balance could not be read again. Null if it could. */
  readProblem: LoadProblem | null
  changes: number
  refresh: () => Promise<void>
}

export function Home({ me, readProblem, changes, refresh }: Props) {
  const { translate } = useLanguage()
  const [activity, setActivity] = useState<ActivityEntry[] | null>(null)
  const [activityProblem, setActivityProblem] = useState<LoadProblem | null>(null)
  const startRead = useReadOrder()

  const load = useCallback(async () => {
    const isNewest = startRead()
    // Run both requests concurrently. `refresh` handles a session that has ended.
    const [, response] = await Promise.all([
      refresh(),
      getActivity({ storeId: null, cursor: null }),
    ])
    if (!isNewest()) return
    setActivityProblem(response.ok ? null : loadProblemOf(response.problem.status))
    if (response.ok) setActivity(response.data.activity)
  }, [refresh, startRead])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` counts movements of money.
  useEffect(() => void load(), [load, changes])
  const problem = readProblem ?? activityProblem
  useRecovery(problem !== null, () => void load())

  const today = activity?.filter((entry) => isToday(entry.at))
  return (
    <Page title={me.name} isSandbox={me.mode === 'sandbox'}>
      <section className="balance" aria-label={translate('balance')}>
        <h2 className="soft">{translate('balance')}</h2>
        {me.balances.length === 0 && <p className="soft">{translate('noBalance')}</p>}
        {me.balances.map(({ currency, balance }, n) => (
          <p key={currency}>
            <Money amount={balance} currency={currency} isLarge={n === 0} />
          </p>
        ))}
      </section>
      <div aria-live="polite">
        {problem && <Notice tone="expired">{translate(`oldAmounts_${problem}`)}</Notice>}
      </div>
      <div className="actions">
        <Button isWide onClick={() => navigate('scan')}>
          <Icon name="scan" />
          {translate('scanToPay')}
        </Button>
        <Button isWide look="quiet" onClick={() => navigate('type')}>
          <Icon name="keypad" />
          {translate('typeNumber')}
        </Button>
      </div>
      <section className="today">
        <div className="row">
          <h2>{translate('today')}</h2>
          <a className="more" href="#activity">
            {translate('allActivity')}
          </a>
        </div>
        {today?.length === 0 && <p className="soft small">{translate('nothingToday')}</p>}
        {today !== undefined && today.length > 0 && <ActivityList activity={today} />}
      </section>
      {/* Shown after the list of today, which would otherwise push the shops down. */}
      {(activity !== null || activityProblem !== null) && (
        <Favourites me={me} changes={changes} refresh={refresh} />
      )}
    </Page>
  )
}
