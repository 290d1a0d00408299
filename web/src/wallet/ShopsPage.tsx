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

/** The shops of the payer's latest payments, favourites first. */
export default function ShopsPage({ me, changes, refresh }: Props) {
  const { translate, locale } = useLanguage()
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
    <Page title={translate('shops')} isSandbox={me.mode === 'sandbox'}>
      <div aria-live="polite">
        {problem !== null && <p className="soft">{translate(problem)}</p>}
      </div>
      {sorted?.length === 0 && <p className="soft">{translate('noShops')}</p>}
      <ul className="activity">
        {sorted?.map((shop) => (
          <li key={shop.store_id} className="shop-row">
            <a className="activity-row" href={`#shop/${shop.store_id}`}>
              <span className="activity-icon">
                <StoreLogo storeId={shop.store_id} url={shop.store.logo} size={40} />
              </span>
              <span className="activity-what">
                <bdi className="cut">{shop.store.name}</bdi>
                <span className="soft small">
                  {translate('lastPaid', { time: lastPaid(shop.last_paid_at) })}
                </span>
              </span>
            </a>
            <FavouriteToggle
              store={shop.store.name}
              isFavourite={shop.favourite}
              onToggle={() => void toggle(shop)}
            />
          </li>
        ))}
      </ul>
    </Page>
  )
}
