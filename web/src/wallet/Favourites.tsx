import type { Wallet } from '@florin/contract/wallet.js'
import './shops.css'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { useLanguage } from './language.ts'
import { useStores } from './useStores.ts'

type Props = { me: Wallet; changes: number; refresh: () => Promise<void> }

/** The favourite shops, or the first four shops if there are no favourites, and a link to all. */
export function Favourites({ me, changes, refresh }: Props) {
  const { translate } = useLanguage()
  const { stores } = useStores({ walletId: me.wallet_id, changes, onSignedOut: refresh })
  if (stores === null || stores.length === 0) return null
  const favourites = stores.filter((shop) => shop.favourite)
  return (
    <section className="today">
      <div className="row">
        <h2>{translate(favourites.length > 0 ? 'favourites' : 'shops')}</h2>
        <a className="more" href="#shops">
          {translate('allShops')}
        </a>
      </div>
      <ul className="favourites">
        {(favourites.length > 0 ? favourites : stores.slice(0, 4)).map((shop) => (
          <li key={shop.store_id}>
            <a href={`#shop/${shop.store_id}`}>
              <StoreLogo storeId={shop.store_id} url={shop.store.logo} size={48} />
              <bdi className="small">{shop.store.name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
