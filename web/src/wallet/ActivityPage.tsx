import type { Wallet } from '@florin/contract/wallet.js'
import { Page } from '../kit/Page.tsx'
import { ActivityByDay } from './ActivityByDay.tsx'
import { useLanguage } from './language.ts'
import { BackToWallet } from './navigation.tsx'
import { useActivity } from './useActivity.ts'

type Props = { me: Wallet; changes: number; refresh: () => Promise<void> }

export function ActivityPage({ me, changes, refresh }: Props) {
  const { say } = useLanguage()
  const activity = useActivity({ storeId: null, changes, onSignedOut: refresh })
  return (
    <Page title={say('activity')} isSandbox={me.mode === 'sandbox'}>
      <div className="row">
        <BackToWallet />
        <a className="more" href="#statement">
          {say('statement')}
        </a>
      </div>
      <ActivityByDay {...activity} />
    </Page>
  )
}
