import type { IconName } from '@florin/shared/icons.js'
import { timeText } from '@florin/shared/time.js'
import { useState } from 'react'
import { Button as Row } from 'react-aria-components/Button'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Icon, Money } from '../kit/display.tsx'
import type { Activity } from './api.ts'
import { clockTime, dateOf, zone } from './days.ts'
import { useLanguage } from './language.ts'

const KINDS = {
  payment: { icon: 'completed', word: 'kindPayment' },
  donation: { icon: 'plus', word: 'kindGift' },
  refund: { icon: 'refunded', word: 'kindRefund' },
  top_up: { icon: 'wallet', word: 'kindTopUp' },
  withdrawal: { icon: 'wallet', word: 'kindWithdrawal' },
} as const satisfies Record<Activity['kind'], { icon: IconName; word: string }>

export function ActivityList({ activity }: { activity: readonly Activity[] }) {
  const { say, locale } = useLanguage()
  const [shown, setShown] = useState<Activity | null>(null)
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
                    {clockTime(one.at, locale)}
                  </span>
                </span>
                <Signed {...one} />
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
          <Signed {...shown} isLarge />
          <dl className="facts">
            <dt>{say(KINDS[shown.kind].word)}</dt>
            <dd>{timeText(dateOf(shown.at), { locale, timeZone: zone() })}</dd>
            {shown.note && <dt>{say('note')}</dt>}
            {shown.note && <dd>{shown.note}</dd>}
            <dt>{say('reference')}</dt>
            <dd className="reference">{shown.reference}</dd>
          </dl>
          <Button look="quiet" isWide onClick={() => setShown(null)}>
            {say('close')}
          </Button>
        </Dialog>
      )}
    </>
  )
}

/** With its sign, and green where money came in: the sign says the same without the colour. */
function Signed({ amount, currency, isLarge }: Activity & { isLarge?: boolean }) {
  const { locale } = useLanguage()
  const isIn = !amount.startsWith('-')
  return (
    <span className={isIn ? 'signed signed-in' : 'signed'}>
      {isIn ? '+' : '\u2212'}
      <Money
        amount={amount.replace('-', '')}
        currency={currency}
        locale={locale}
        isLarge={isLarge === true}
      />
    </span>
  )
}
