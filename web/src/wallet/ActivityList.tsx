import type { ActivityEntry } from '@florin/contract/walletActivity.js'
import './activity.css'
import { lazy, Suspense, useState } from 'react'
import { Button as Row } from 'react-aria-components/Button'
import { Icon, useMoneyText } from '../kit/display.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { clockOf } from '../kit/time.ts'
import { isZero } from './amounts.ts'
import { useLanguage } from './language.ts'
import { KINDS, SignedAmount } from './transfer.tsx'

// Loaded on demand, because it is rarely opened.
const TransferDialog = lazy(() => import('./TransferDialog.tsx'))

type Props = { activity: readonly ActivityEntry[] }

/** Transfers. A transfer of a payment opens its receipt. */
export function ActivityList({ activity }: Props) {
  const [shown, setShown] = useState<ActivityEntry | null>(null)
  return (
    <>
      <ul className="activity">
        {activity.map((entry) => (
          <li key={`${entry.reference} ${entry.kind}`}>
            {entry.store_id === null ? (
              <Row className="activity-row" onPress={() => setShown(entry)}>
                <Summary entry={entry} />
              </Row>
            ) : (
              <a className="activity-row" href={`#payment/${entry.reference}`}>
                <Summary entry={entry} />
              </a>
            )}
          </li>
        ))}
      </ul>
      {shown && (
        <Suspense>
          <TransferDialog entry={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  )
}

function Summary({ entry }: { entry: ActivityEntry }) {
  const { translate, locale } = useLanguage()
  const moneyText = useMoneyText()
  const { kind, store, refund_fee: fee } = entry
  const { icon, word } = KINDS[kind]
  return (
    <>
      <span className={`activity-icon activity-${kind}`}>
        {entry.store_id !== null && entry.store_logo !== null && (
          <StoreLogo storeId={entry.store_id} url={entry.store_logo} size={40} />
        )}
        {kind !== 'payment' && <Icon name={icon} />}
      </span>
      <span className="activity-what">
        <bdi className="cut">{store ?? translate(word)}</bdi>
        <span className="soft small">
          {store !== null && `${translate(word)} · `}
          {clockOf(entry.at, locale)}
        </span>
        {fee !== null && !isZero(fee) && (
          <span className="soft small">
            {translate('feeOf', { amount: moneyText(fee, entry.currency) })}
          </span>
        )}
      </span>
      <SignedAmount {...entry} />
    </>
  )
}
