import { timeText } from '@florin/shared/time.js'
import { useEffect } from 'react'
import { Button } from '../kit/controls.tsx'
import { Card, Icon, Money } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { prepareSound } from '../kit/sound.ts'
import { isZero } from './amounts.ts'
import type { Receipt } from './api.ts'
import { dateOf, zone } from './days.ts'
import { buzz } from './feedback.ts'
import { useLanguage } from './language.ts'
import { goInstead } from './route.ts'

const play = prepareSound()

type Props = { receipt: Receipt; isSandbox: boolean }

export function ReceiptPage({ receipt, isSandbox }: Props) {
  const language = useLanguage()
  const { say, locale } = language
  const { currency, total, amount, donation_amount: gift } = receipt
  useEffect(() => {
    buzz([60, 40, 120])
    play('completed')
  }, [])
  const money = (text: string) => <Money amount={text} currency={currency} locale={locale} />
  return (
    <Page title={say('paidTitle')} language={language} isSandbox={isSandbox}>
      <Card>
        <div className="outcome" role="status">
          <span className="outcome-icon outcome-paid">
            <Icon name="completed" />
          </span>
          <Money amount={total} currency={currency} locale={locale} isLarge />
          <p className="paid-to">
            <bdi>{say('paidTo', { store: receipt.store.name })}</bdi>
          </p>
        </div>
        <dl className="facts">
          {!isZero(gift) && (
            <>
              <dt>{say('kindPayment')}</dt>
              <dd>{money(amount)}</dd>
              <dt>{say('kindGift')}</dt>
              <dd>{money(gift)}</dd>
            </>
          )}
          <dt>{say('time')}</dt>
          <dd>{timeText(dateOf(receipt.paid_at), { locale, timeZone: zone() })}</dd>
          <dt>{say('reference')}</dt>
          <dd className="reference">{receipt.payment_id}</dd>
        </dl>
      </Card>
      <div className="pay-bar">
        <Button isWide onClick={() => goInstead('')}>
          {say('done')}
        </Button>
      </div>
    </Page>
  )
}
