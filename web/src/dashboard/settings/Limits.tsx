import type { StoreSettings } from '@florin/contract/store.js'
import { percentText } from '@florin/shared/numbers.js'
import { Section } from '../../kit/console/Section.tsx'
import { Card, Facts, useMoneyText } from '../../kit/display.tsx'
import { useLanguage } from '../language.ts'

/** The fees and limits that the operator sets. Read-only here. */
export function Limits({ settings }: { settings: StoreSettings }) {
  const { translate, locale } = useLanguage()
  const moneyText = useMoneyText()
  const { currency } = settings
  const money = (amount: string) => moneyText(amount, currency)
  const limit = (amount: string | null) => (amount === null ? translate('none') : money(amount))
  return (
    <Card label={translate('feesAndLimits')}>
      <Section title={translate('feesAndLimits')}>
        <p className="soft small">{translate('byOperator')}</p>
        <Facts
          facts={[
            [
              translate('transactionFee'),
              translate('feeText', {
                percent: percentText(settings.fee_bps / 10_000, locale, { maxDecimals: 2 }),
                fixed: money(settings.fee_fixed),
              }),
            ],
            [translate('refundFee'), money(settings.refund_fee)],
            [translate('minPayment'), limit(settings.min_amount)],
            [translate('maxPayment'), limit(settings.max_amount)],
            [translate('dailyLimit'), limit(settings.daily_limit)],
            [translate('monthlyLimit'), limit(settings.monthly_limit)],
          ]}
        />
      </Section>
    </Card>
  )
}
