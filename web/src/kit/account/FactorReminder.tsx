import { useTimeText } from '../display.tsx'
import { useStaffLanguage } from '../language.tsx'
import { useAccount } from './context.ts'

/** A reminder to set up a second factor before it is required. `href` is the page of the account. */
export function FactorReminder({ href }: { href: string }) {
  const { say } = useStaffLanguage()
  const timeText = useTimeText()
  const { second_factor_due_at: dueAt } = useAccount().state
  if (dueAt === null) return null
  return (
    <p className="notice tone-pending" role="status">
      <span>
        {say('factorDue', { time: timeText(dueAt) })} <a href={href}>{say('setUpNow')}</a>
      </span>
    </p>
  )
}
