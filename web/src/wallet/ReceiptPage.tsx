import type { Receipt } from '@florin/contract/wallet.js'
import { useEffect } from 'react'
import { Button } from '../kit/controls.tsx'
import { Card, Facts, Icon, Money, useMoneyText, useTimeText } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { prepareSound } from '../kit/sound.ts'
import { Reference } from './ActivityList.tsx'
import { isZero } from './amounts.ts'
import { useLanguage } from './language.ts'
import { navigateInstead } from './navigation.tsx'

const play = prepareSound()

type Props = { receipt: Receipt; isSandbox: boolean }

export function ReceiptPage({ receipt, isSandbox }: Props) {
  const { say } = useLanguage()
  const timeText = useTimeText()
  const moneyText = useMoneyText()
  const { currency, total, amount, donation_amount: gift } = receipt
  useEffect(() => {
    navigator.vibrate?.([60, 40, 120])
    play('completed')
  }, [])
  const { name: store } = receipt.store
  const text = (value: string) => moneyText(value, currency)
  return (
    <Page title={say('paidTitle')} isSandbox={isSandbox}>
      <Card>
        <StoreLogo url={receipt.store.logo} />
        <div className="outcome" role="status">
          <span className="outcome-icon outcome-paid">
            <Icon name="completed" />
          </span>
          <Money amount={total} currency={currency} isLarge />
          <p className="paid-to">
            <bdi>
              {isZero(gift)
                ? say('paidTo', { store })
                : say('paidToAndGift', { amount: text(amount), store, gift: text(gift) })}
            </bdi>
          </p>
        </div>
        <Facts
          facts={[
            [say('time'), timeText(receipt.paid_at)],
            [say('reference'), <Reference key="reference" id={receipt.payment_id} />],
          ]}
        />
      </Card>
      <div className="pay-bar">
        <Button isWide onClick={() => navigateInstead('')}>
          {say('done')}
        </Button>
      </div>
    </Page>
  )
}
