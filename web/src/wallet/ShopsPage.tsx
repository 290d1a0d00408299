import type { Wallet } from '@florin/contract/wallet.js'
import { relativeTimeText } from '@florin/shared/time.js'
import { useTimeText } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { parseTime } from '../kit/time.ts'
import { FavouriteToggle } from './FavouriteToggle.tsx'
import { useLanguage } from './language.ts'
import { useFocusOnHeading } from './navigation.tsx'
import { useStores } from './useStores.ts'

type Props = { me: Wallet; changes: number; refresh: () => Promise<void> }

/** The shops that the payer has paid, favourites first. */
export default function ShopsPage({ me, changes, refresh }: Props) {
  const { say, locale } = useLanguage()
  useFocusOnHeading('shops')
  const timeText = useTimeText()
  const lastPaid = (at: string) =>
    relativeTimeText(parseTime(at), new Date(), locale) ?? timeText(at)
  const { stores, problem, toggle } = useStores({
    walletId: me.wallet_id,
    changes,
    onSignedOut: refresh,
  })
  const sorted = stores?.toSorted((a, b) => Number(b.favourite) - Number(a.favourite))
  return (
    <Page title={say('shops')} isSandbox={me.mode === 'sandbox'}>
      <div aria-live="polite">{problem !== null && <p className="soft">{say(problem)}</p>}</div>
      {sorted?.length === 0 && <p className="soft">{say('noShops')}</p>}
      <ul className="activity">
        {sorted?.map((one) => (
          <li key={one.store_id} className="shop-row">
            <a className="activity-row" href={`#shop/${one.store_id}`}>
              <span className="activity-icon">
                <StoreLogo storeId={one.store_id} url={one.store.logo} size={40} />
              </span>
              <span className="activity-what">
                <bdi className="cut">{one.store.name}</bdi>
                <span className="soft small">
                  {say('lastPaid', { time: lastPaid(one.last_paid_at) })}
                </span>
              </span>
            </a>
            <FavouriteToggle
              store={one.store.name}
              isFavourite={one.favourite}
              onToggle={() => void toggle(one)}
            />
          </li>
        ))}
      </ul>
    </Page>
  )
}
