import type { Receipt } from '@florin/contract/wallet.js'
import { useEffect } from 'react'
import { Button } from '../kit/controls.tsx'
import { Card, Facts, Icon, Money, useTimeText } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
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
  const { currency, total, amount, donation_amount: gift } = receipt
  useEffect(() => {
    navigator.vibrate?.([60, 40, 120])
    play('completed')
  }, [])
  const money = (text: string) => <Money amount={text} currency={currency} />
  return (
    <Page title={say('paidTitle')} isSandbox={isSandbox}>
      <Card>
        <div className="outcome" role="status">
          <span className="outcome-icon outcome-paid">
            <Icon name="completed" />
          </span>
          <Money amount={total} currency={currency} isLarge />
          <p className="paid-to">
            <bdi>{say('paidTo', { store: receipt.store.name })}</bdi>
          </p>
        </div>
        <Facts
          facts={[
            [say('kindPayment'), !isZero(gift) && money(amount)],
            [say('kindGift'), !isZero(gift) && money(gift)],
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
