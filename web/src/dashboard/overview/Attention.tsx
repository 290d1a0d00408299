import { mayOpen } from '@florin/server/core/pages.js'
import { percentText } from '@florin/shared/numbers.js'
import type { ReactNode } from 'react'
import { amountText, Icon } from '../../kit/display.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { type Limit, nearlyUsed, type Overview } from './figures.ts'

/** What somebody should do something about; and if nothing, it says so. */
export function Attention({ overview }: { overview: Overview }) {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const { hrefTo } = useDashboardPlace()
  const { webhooks, limits, currency } = overview
  const notes: ReactNode[] = []

  function noteLimit(limit: Limit, word: 'limitDay' | 'limitMonth'): void {
    const part = nearlyUsed(limit)
    if (part === null || limit.left === null) return
    const left = amountText({ amount: limit.left, currency, locale })
    notes.push(<p key={word}>{say(word, { percent: percentText(part, locale), left })}</p>)
  }
  noteLimit(limits.daily, 'limitDay')
  noteLimit(limits.monthly, 'limitMonth')

  const { failing, exhausted, last_error: lastError } = webhooks
  if (failing + exhausted > 0) {
    notes.push(
      <div key="webhooks">
        {failing > 0 && <p>{say('webhooksFailing', { count: failing })}</p>}
        {exhausted > 0 && <p>{say('webhooksExhausted', { count: exhausted })}</p>}
        {lastError && (
          <p className="small">
            {say('lastError')} <code dir="ltr">{lastError}</code>
          </p>
        )}
        {mayOpen(who.person.role, 'developers') && (
          <a href={hrefTo('developers')}>{say('developers')}</a>
        )}
      </div>,
    )
  }
  return (
    <section className="section" aria-label={say('attention')}>
      <h2>{say('attention')}</h2>
      {notes.length === 0 && (
        <p className="notice tone-completed">
          <Icon name="completed" />
          {say('nothingToDo')}
        </p>
      )}
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
