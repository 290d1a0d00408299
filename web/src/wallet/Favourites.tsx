import type { Wallet } from '@florin/contract/wallet.js'
import './shops.css'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { useLanguage } from './language.ts'
import { useStores } from './useStores.ts'

type Props = { me: Wallet; changes: number; refresh: () => Promise<void> }

/** The favourite shops on the start page, and a link to all others. */
export function Favourites({ me, changes, refresh }: Props) {
  const { say } = useLanguage()
  const { stores } = useStores({ walletId: me.wallet_id, changes, onSignedOut: refresh })
  if (stores === null || stores.length === 0) return null
  const favourites = stores.filter((one) => one.favourite)
  return (
    <section className="today">
      <div className="row">
        <h2>{say(favourites.length > 0 ? 'favourites' : 'shops')}</h2>
        <a className="more" href="#shops">
          {say('allShops')}
        </a>
      </div>
      <ul className="favourites">
        {(favourites.length > 0 ? favourites : stores.slice(0, 4)).map((one) => (
          <li key={one.store_id}>
            <a href={`#shop/${one.store_id}`}>
              <StoreLogo storeId={one.store_id} url={one.store.logo} size={48} />
              <bdi className="small">{one.store.name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
