import type { ActivityEntry } from '@florin/contract/wallet.js'
import type { IconName } from '@florin/shared/icons.js'
import { useState } from 'react'
import { Button as Row } from 'react-aria-components/Button'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Facts, Icon, Money, useTimeText } from '../kit/display.tsx'
import { clockOf } from '../kit/time.ts'
import { useLanguage } from './language.ts'

const KINDS = {
  payment: { icon: 'completed', word: 'kindPayment' },
  donation: { icon: 'plus', word: 'kindGift' },
  refund: { icon: 'refunded', word: 'kindRefund' },
  top_up: { icon: 'wallet', word: 'kindTopUp' },
  withdrawal: { icon: 'wallet', word: 'kindWithdrawal' },
} as const satisfies Record<ActivityEntry['kind'], { icon: IconName; word: string }>

export function ActivityList({ activity }: { activity: readonly ActivityEntry[] }) {
  const { say, locale } = useLanguage()
  const timeText = useTimeText()
  const [shown, setShown] = useState<ActivityEntry | null>(null)
  return (
    <>
      <ul className="activity">
        {activity.map((one) => {
          const { icon, word } = KINDS[one.kind]
          return (
            <li key={`${one.reference} ${one.kind}`}>
              <Row className="activity-row" onPress={() => setShown(one)}>
                <span className={`activity-icon activity-${one.kind}`}>
                  <Icon name={icon} />
                </span>
                <span className="activity-what">
                  <bdi className="cut">{one.store ?? say(word)}</bdi>
                  <span className="soft small">
                    {one.store !== null && `${say(word)} · `}
                    {clockOf(one.at, locale)}
                  </span>
                </span>
                <SignedAmount {...one} />
              </Row>
            </li>
          )
        })}
      </ul>
      {shown && (
        <Dialog
          title={shown.store ?? say(KINDS[shown.kind].word)}
          isOpen
          onClose={() => setShown(null)}
        >
          <SignedAmount {...shown} isLarge />
          <Facts
            facts={[
              [say(KINDS[shown.kind].word), timeText(shown.at)],
              [say('note'), shown.note || null],
              [say('reference'), <Reference key="reference" id={shown.reference} />],
            ]}
          />
          <Button look="quiet" isWide onClick={() => setShown(null)}>
            {say('close')}
          </Button>
        </Dialog>
      )}
    </>
  )
}

/** An amount with its sign. Incoming money is also green. */
function SignedAmount({ amount, currency, isLarge }: ActivityEntry & { isLarge?: boolean }) {
  const isIncoming = !amount.startsWith('-')
  return (
    <span className={isIncoming ? 'signed signed-in' : 'signed'}>
      {isIncoming ? '+' : '\u2212'}
      <Money amount={amount.replace('-', '')} currency={currency} isLarge={isLarge === true} />
    </span>
  )
}

export const Reference = ({ id }: { id: string }) => <span className="reference">{id}</span>
