import type { StoreSettings } from '@florin/contract/store.js'
import { Section } from '../../kit/console/Section.tsx'
import { Card, Facts, useMoneyText } from '../../kit/display.tsx'
import { useLanguage } from '../language.ts'

/** The fees and limits that the operator sets. Read-only here. */
export function Limits({ settings }: { settings: StoreSettings }) {
  const { say, locale } = useLanguage()
  const moneyText = useMoneyText()
  const { currency } = settings
  const money = (amount: string) => moneyText(amount, currency)
  const limit = (amount: string | null) => (amount === null ? say('none') : money(amount))
  const percent = new Intl.NumberFormat(`${locale}-u-nu-latn`, {
    style: 'percent',
    maximumFractionDigits: 2,
  })
  return (
    <Card label={say('feesAndLimits')}>
      <Section title={say('feesAndLimits')}>
        <p className="soft small">{say('byOperator')}</p>
        <Facts
          facts={[
            [
              say('transactionFee'),
              say('feeText', {
                percent: percent.format(settings.fee_bps / 10_000),
                fixed: money(settings.fee_fixed),
              }),
            ],
            [say('refundFee'), money(settings.refund_fee)],
            [say('smallest'), limit(settings.min_amount)],
            [say('largest'), limit(settings.max_amount)],
            [say('perDay'), limit(settings.daily_limit)],
            [say('perMonth'), limit(settings.monthly_limit)],
          ]}
        />
      </Section>
    </Card>
  )
}
