import type { Wallet } from '@florin/contract/wallet.js'
import type { PaidStore } from '@florin/contract/walletActivity.js'
import { Page } from '../kit/Page.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { ActivityByDay } from './ActivityByDay.tsx'
import { FavouriteToggle } from './FavouriteToggle.tsx'
import { useLanguage } from './language.ts'
import { BackToShops, useFocusOnHeading } from './navigation.tsx'
import { RefusalPage } from './RefusalPage.tsx'
import { useActivity } from './useActivity.ts'
import { useStores } from './useStores.ts'

type Props = { me: Wallet; storeId: number; changes: number; refresh: () => Promise<void> }

/** One shop: its contact details, and the payments of this wallet there. */
export default function ShopPage({ me, storeId, changes, refresh }: Props) {
  const { translate } = useLanguage()
  const isSandbox = me.mode === 'sandbox'
  const { stores, problem, toggle } = useStores({
    walletId: me.wallet_id,
    changes,
    onSignedOut: refresh,
  })
  const shop = stores?.find((shop) => shop.store_id === storeId)
  useFocusOnHeading(stores === null ? 'loading' : 'shop')
  if (stores === null) {
    return (
      <Page title={translate('loading')} isSandbox={isSandbox}>
        {problem !== null && <p className="soft">{translate(problem)}</p>}
      </Page>
    )
  }
  if (shop === undefined) return <RefusalPage refusal="shopUnknown" isSandbox={isSandbox} />
  const { name, logo } = shop.store
  return (
    <Page title={name} isSandbox={isSandbox}>
      <BackToShops />
      <section className="shop-head">
        <StoreLogo storeId={storeId} url={logo} size={56} />
        <Contact {...shop.store} />
        <FavouriteToggle
          store={name}
          isFavourite={shop.favourite}
          onToggle={() => void toggle(shop)}
        />
      </section>
      <div aria-live="polite">
        {problem !== null && <p className="soft">{translate(problem)}</p>}
      </div>
      <Payments storeId={storeId} changes={changes} refresh={refresh} />
    </Page>
  )
}

function Payments({ storeId, changes, refresh }: Omit<Props, 'me'>) {
  const activity = useActivity({ storeId, changes, onSignedOut: refresh })
  return <ActivityByDay {...activity} />
}

/** Contact details of the shop. The website is text, because merchants type it freely. */
function Contact({ domain, email, phone }: PaidStore['store']) {
  return (
    <address>
      {domain !== '' && <bdi>{domain}</bdi>}
      {email !== '' && <a href={`mailto:${email}`}>{email}</a>}
      {phone !== '' && (
        <a href={`tel:${phone}`} dir="ltr">
          {phone}
        </a>
      )}
    </address>
  )
}
