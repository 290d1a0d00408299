import type { Wallet } from '@florin/contract/wallet.js'
import { Icon } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { ActivityByDay } from './ActivityByDay.tsx'
import { useLanguage } from './language.ts'
import { useActivity } from './useActivity.ts'

type Props = { me: Wallet; changes: number; refresh: () => Promise<void> }

export function ActivityPage({ me, changes, refresh }: Props) {
  const { translate } = useLanguage()
  const activity = useActivity({ storeId: null, changes, onSignedOut: refresh })
  return (
    <Page title={translate('activity')} isSandbox={me.mode === 'sandbox'}>
      <a className="more" href="#statement">
        <Icon name="log" />
        {translate('statement')}
      </a>
      <ActivityByDay {...activity} />
    </Page>
  )
}
