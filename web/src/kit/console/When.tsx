import { relativeTimeText, timeText } from '@florin/shared/time.js'
import { parseTime } from '../time.ts'
import { useLanguage } from './language.ts'

type Props = {
  /** As the API writes it, in UTC. */
  at: string
  timeZone: string
}

/** Near times as people say them; the exact one on hover, and for who hears the page. */
export function When({ at, timeZone }: Props) {
  const { locale } = useLanguage()
  const time = parseTime(at)
  const exact = timeText(time, { locale, timeZone })
  const near = relativeTimeText(time, new Date(), locale)
  return (
    <time dateTime={time.toISOString()} title={exact}>
      {near ?? exact}
      {near && <span className="unseen">, {exact}</span>}
    </time>
  )
}
