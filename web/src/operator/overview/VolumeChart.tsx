import type { CurrencyFigures } from '@florin/contract/business.js'
import { compactNumber } from '@florin/shared/numbers.js'
import { Chart } from '../../kit/charts/Chart.tsx'
import { useMoneyText } from '../../kit/display.tsx'
import { dayText } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'

/** The volume of each day. A single day needs no chart. */
export function VolumeChart({ figures }: { figures: CurrencyFigures }) {
  const { translate, locale } = useLanguage()
  const moneyText = useMoneyText()
  const { currency, days } = figures
  const short = {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    numberingSystem: 'latn',
  } as const
  const shortDay = new Intl.DateTimeFormat(locale, short)
  if (days.length === 1) return null
  return (
    <div className="business-chart">
      <Chart
        label={`${translate('volume')}, ${currency}`}
        height={200}
        valueText={(value) => compactNumber(value, locale)}
        points={days.map(({ day, volume, completed }) => ({
          label: shortDay.format(new Date(day)),
          value: Number(volume),
          line: null,
          details: [
            dayText(day, locale),
            moneyText(volume, currency),
            translate('salesCount', { count: completed }),
          ],
        }))}
      />
    </div>
  )
}
