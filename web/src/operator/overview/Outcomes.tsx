import type { PaymentTotals } from '@florin/contract/business.js'
import type { IconName } from '@florin/shared/icons.js'
import { percentText } from '@florin/shared/numbers.js'
import { Icon } from '../../kit/display.tsx'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'

/** The outcomes in the order of the bar. A refunded payment counts as completed. */
const OUTCOMES = ['completed', 'failed', 'expired', 'cancelled'] as const
const ICONS: Record<(typeof OUTCOMES)[number], IconName> = {
  completed: 'completed',
  failed: 'failed',
  expired: 'expired',
  cancelled: 'close',
}

/** How payments ended, as a bar and as numbers. */
export function Outcomes({ totals }: { totals: PaymentTotals }) {
  const { translate, locale } = useLanguage()
  const all = OUTCOMES.reduce((sum, outcome) => sum + totals[outcome], 0)
  if (all === 0) return null
  return (
    <div className="outcomes">
      <span className="soft small">{translate('outcomes')}</span>
      <svg className="outcome-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden>
        {OUTCOMES.map((outcome, n) => {
          const start = OUTCOMES.slice(0, n).reduce((sum, before) => sum + totals[before], 0)
          return (
            <rect
              key={outcome}
              className={`outcome-${outcome}`}
              x={(start / all) * 1000}
              width={(totals[outcome] / all) * 1000}
              height={10}
            />
          )
        })}
      </svg>
      <ul className="outcome-list">
        {OUTCOMES.map((outcome) => (
          <li key={outcome} className={`outcome-${outcome}`}>
            <Icon name={ICONS[outcome]} />
            <span>{translate(outcome)}</span>
            <strong>{numberText(totals[outcome], locale)}</strong>
            <span className="soft">{percentText(totals[outcome] / all, locale)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
