import type { Limit, Overview } from '@florin/contract/overview.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { percentText } from '@florin/shared/numbers.js'
import type { ReactNode } from 'react'
import { Icon, Notice, useMoneyText } from '../../kit/display.tsx'
import { useDeliveryError } from '../../kit/store/deliveryErrors.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { warningShareOf } from './warningShare.ts'

/** The problems that the store must act on. */
export function Attention({ overview }: { overview: Overview }) {
  const { translate, locale } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  const moneyText = useMoneyText()
  const errorText = useDeliveryError()
  const { webhooks, limits, currency } = overview
  const notes: ReactNode[] = []

  function addLimit(limit: Limit, word: 'limitDay' | 'limitMonth'): void {
    const share = warningShareOf(limit)
    if (share === null || limit.left === null) return
    const left = moneyText(limit.left, currency)
    notes.push(<p key={word}>{translate(word, { percent: percentText(share, locale), left })}</p>)
  }
  addLimit(limits.daily, 'limitDay')
  addLimit(limits.monthly, 'limitMonth')

  const { failing, exhausted, last_error: lastError } = webhooks
  if (failing + exhausted > 0) {
    notes.push(
      <div key="webhooks">
        {failing > 0 && <p>{translate('webhooksFailing', { count: failing })}</p>}
        {exhausted > 0 && <p>{translate('webhooksExhausted', { count: exhausted })}</p>}
        {lastError && (
          <p className="small">
            {translate('lastError')} <bdi>{errorText(lastError)}</bdi>
          </p>
        )}
        {mayOpen(account.person.role, 'developers') && (
          <a href={hrefTo('developers')}>{translate('developers')}</a>
        )}
      </div>,
    )
  }
  return (
    <section className="section" aria-label={translate('attention')}>
      <h2>{translate('attention')}</h2>
      {notes.length === 0 && <Notice tone="completed">{translate('nothingToDo')}</Notice>}
      {notes.map((note, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: each note has its own key inside.
        <div key={n} className="notice tone-expired">
          <Icon name="warning" />
          {note}
        </div>
      ))}
    </section>
  )
}
