import type { TillSettings } from '@florin/contract/till.js'
import { useSyncExternalStore } from 'react'
import { ShortFactorReminder } from '../kit/account/FactorReminder.tsx'
import { Icon, Notice, useMoneyText } from '../kit/display.tsx'
import { ModeSwitch } from '../kit/store/session.tsx'
import { BasketLines } from './BasketLines.tsx'
import { openDisplay } from './Display.tsx'
import { Frame } from './Frame.tsx'
import { useLanguage } from './language.ts'
import { NewSale } from './NewSale.tsx'
import { useNewSale } from './newSale.ts'
import { Sales, useToday } from './Sales.tsx'
import { useSession } from './session.tsx'

const WIDE = matchMedia('(min-width: 1000px)')

function subscribe(onChange: () => void): () => void {
  WIDE.addEventListener('change', onChange)
  return () => WIDE.removeEventListener('change', onChange)
}

export function Home({ settings }: { settings: TillSettings }) {
  const { translate } = useLanguage()
  const { account, mode, setMode } = useSession()
  const sale = useNewSale(settings)
  const isWide = useSyncExternalStore(subscribe, () => WIDE.matches)
  const tools = (
    <>
      <ModeSwitch mode={mode} setMode={setMode} />
      <button
        type="button"
        className="tool tool-display"
        // Keeps the focus, so that Enter still charges.
        onMouseDown={(event) => event.preventDefault()}
        onClick={openDisplay}
      >
        <Icon name="screen" />
        <span className="visually-hidden">{translate('openDisplay')}</span>
      </button>
      <a className="tool" href="#you" aria-label={translate('yourAccount')}>
        <Icon name="person" />
      </a>
    </>
  )
  return (
    <Frame title={account.store.name} logo={account.store.logo} tools={tools}>
      <div className="home">
        <section className="home-sale" aria-label={translate('newSale')}>
          <ShortFactorReminder href="#you" timeZone={account.store.time_zone} />
          {account.store.suspended && (
            <p className="notice tone-failed">{translate('storeSuspended')}</p>
          )}
          {account.may.includes('create') ? (
            <NewSale sale={sale} items={settings.items} isWide={isWide} />
          ) : (
            <Notice tone="pending">{translate('viewerNote')}</Notice>
          )}
          {!isWide && <TodayLink />}
        </section>
        {isWide && (
          <div className="home-sales">
            {sale.draft.lines.length > 0 && (
              <section className="card" aria-label={translate('currentSale')}>
                <h2>{translate('currentSale')}</h2>
                <BasketLines sale={sale} />
              </section>
            )}
            <section aria-label={translate('sales')}>
              <Sales />
            </section>
          </div>
        )}
      </div>
    </Frame>
  )
}

function TodayLink() {
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  const { data } = useToday()
  return (
    <a className="today-link" href="#sales">
      <span>{translate('today')}</span>
      {data && <span className="soft">{translate('salesCount', { count: data.sales.count })}</span>}
      {data && <span>{moneyText(data.sales.amount, data.currency)}</span>}
      <span className="mirrored-in-rtl">
        <Icon name="forward" />
      </span>
    </a>
  )
}
