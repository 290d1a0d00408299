import { percentText } from '@florin/shared/numbers.js'
import type { ReactNode } from 'react'
import { Money } from '../kit/display.tsx'
import { SandboxRibbon, useHeading } from '../kit/Page.tsx'
import type { Tip } from './basket.ts'
import { StoreLine } from './CodeScreen.tsx'
import type { Shop, TipQuestion } from './channel.ts'
import { useLanguage } from './language.ts'

type Props = Shop &
  Omit<TipQuestion, 'saleKey'> & {
    /** While the sale is charged, another choice has no effect. */
    isBusy?: boolean
    choose: (tip: Tip | null) => void
    children?: ReactNode
  }

/** Asks the customer for a tip, on the till and on the customer screen. */
export function TipScreen(props: Props) {
  const { store, logo, isSandbox, amount, currency, tips, isBusy, choose, children } = props
  const { translate, locale } = useLanguage()
  const heading = useHeading(translate('tipAsk'))
  return (
    <div className="till">
      {isSandbox && <SandboxRibbon />}
      <main className="tip-main">
        <StoreLine store={store} logo={logo} />
        <Money amount={amount} currency={currency} isLarge />
        <h1 ref={heading} tabIndex={-1}>
          {translate('tipAsk')}
        </h1>
        <div className="tips">
          {tips.map((tip) => (
            <button
              key={tip.percent}
              type="button"
              className="key tip"
              disabled={isBusy}
              onClick={() => choose(tip)}
            >
              <span>{percentText(tip.percent / 100, locale)}</span>
              <Money amount={tip.amount} currency={currency} />
            </button>
          ))}
        </div>
        <button
          type="button"
          className="key tip-none"
          disabled={isBusy}
          onClick={() => choose(null)}
        >
          {translate('noTip')}
        </button>
        {children}
      </main>
    </div>
  )
}
