import type { Series } from '@florin/contract/overview.js'
import { daysBetween, localDay } from '@florin/server/core/calendar.js'
import { Loaded } from '../../kit/console/states.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Form } from '../../kit/Form.tsx'
import { useFields } from '../../kit/form.ts'
import { useResource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { isDay } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { SeriesView } from './SeriesView.tsx'

const PERIODS = [
  { days: '1', word: 'today' },
  { days: '7', word: 'days7' },
  { days: '30', word: 'days30' },
  { days: '90', word: 'days90' },
] as const

const MAX_DAYS = 92
const REFRESH_MS = 60_000
/** While the server still adds up older days. */
const INCOMPLETE_REFRESH_MS = 250

/** Volume and success rate over time, compared with the previous period. The URL contains the period. */
export function OverTime() {
  const { translate } = useLanguage()
  const today = localDay(new Date(), useSession().account.store.time_zone)
  const { mode, query, setQuery } = useDashboardRoute()
  const [from, to] = [query.get('from'), query.get('to')]
  const isCustom = from !== null && to !== null && isDay(from) && isDay(to)
  const days = PERIODS.find((option) => option.days === query.get('days'))?.days ?? '7'
  const period = isCustom ? `from=${from}&to=${to}` : `days=${days}`
  const resource = useResource<Series>(`${mode}/overview/series?${period}`, (series) =>
    series?.is_complete === false ? INCOMPLETE_REFRESH_MS : REFRESH_MS,
  )
  return (
    <section className="section" aria-label={translate('overTime')}>
      <div className="row">
        <h2>{translate('overTime')}</h2>
        <fieldset className="chips">
          <legend className="visually-hidden">{translate('period')}</legend>
          {PERIODS.map((option) => (
            <button
              key={option.days}
              type="button"
              className="chip"
              aria-pressed={!isCustom && option.days === days}
              onClick={() => setQuery({ days: option.days, from: null, to: null })}
            >
              {translate(option.word)}
            </button>
          ))}
          <button
            type="button"
            className="chip"
            aria-pressed={isCustom}
            onClick={() => {
              // A second press keeps the period in the form.
              if (isCustom) return
              setQuery({ days: null, from: `${today.slice(0, 7)}-01`, to: today })
            }}
          >
            {translate('customPeriod')}
          </button>
        </fieldset>
      </div>
      {isCustom && <CustomPeriod from={from} to={to} />}
      <Loaded resource={resource} lines={5}>
        {(series) => (
          <>
            {!series.is_complete && (
              <p className="small soft" role="status">
                {translate('summing', {
                  count: series.points.length + series.before.points.length,
                  all: 2 * (isCustom ? daysBetween(from, to) + 1 : Number(days)),
                })}
              </p>
            )}
            <SeriesView series={series} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function CustomPeriod(period: { from: string; to: string }) {
  const { translate } = useLanguage()
  const { setQuery } = useDashboardRoute()
  const { fields, field } = useFields(period)
  function check(day: string): string | undefined {
    const count = daysBetween(fields.from, day) + 1
    if (count < 1) return translate('field_period')
    return count > MAX_DAYS ? translate('field_tooManyDays', { count: MAX_DAYS }) : undefined
  }
  return (
    <Form className="choices" onSubmit={() => setQuery(fields)}>
      <Field label={translate('fromDay')} type="date" {...field('from')} isRequired />
      <Field label={translate('toDay')} type="date" {...field('to')} isRequired check={check} />
      <Button type="submit" look="quiet">
        {translate('applyFilters')}
      </Button>
    </Form>
  )
}
