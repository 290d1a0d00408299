import { Icon, useTimeText } from '../display.tsx'
import { useStaffLanguage } from '../language.tsx'
import { parseTime } from '../time.ts'
import { useAccount } from './context.ts'

type Props = {
  /** The page of the account. */
  href: string
  timeZone?: string
}

/** A reminder to set up a second factor before it is required. */
export function FactorReminder({ href, timeZone }: Props) {
  const { translate } = useStaffLanguage()
  const timeText = useTimeText(timeZone)
  const { second_factor_due_at: dueAt } = useAccount().state
  if (dueAt === null) return null
  return (
    <p className="notice tone-pending" role="status">
      <span>
        {translate('factorDue', { time: timeText(dueAt) })}{' '}
        <a href={href}>{translate('setUpNow')}</a>
      </span>
    </p>
  )
}

/** The reminder in one line, for a screen without room for more. */
export function ShortFactorReminder({ href, timeZone }: Props) {
  const { translate, locale } = useStaffLanguage()
  const { second_factor_due_at: dueAt } = useAccount().state
  if (dueAt === null) return null
  const options = { month: 'short', day: 'numeric', timeZone, numberingSystem: 'latn' } as const
  const day = new Intl.DateTimeFormat(locale, options).format(parseTime(dueAt))
  return (
    <p role="status">
      <a className="notice notice-line tone-pending" href={href}>
        {translate('factorDueShort', { day })}
        <span className="mirrored-in-rtl">
          <Icon name="forward" />
        </span>
      </a>
    </p>
  )
}
