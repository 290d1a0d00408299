import type { Wallet } from '@florin/contract/wallet.js'
import type { ActivityEntry, WalletStatement } from '@florin/contract/walletActivity.js'
import type { Locale } from '@florin/shared/locales.js'
import { Money, useMoneyText } from '../kit/display.tsx'
import { clockOf, LOCAL_TIME_ZONE, parseTime } from '../kit/time.ts'
import { isZero } from './amounts.ts'
import { useLanguage } from './language.ts'
import type { Period } from './period.ts'
import { KINDS, SignedAmount } from './transfer.tsx'

type Props = { me: Wallet; statement: WalletStatement; period: Period }

export function Statement({ me, statement, period }: Props) {
  const { translate, locale } = useLanguage()
  const { balances, activity } = statement
  const day = (text: string) => dateText(new Date(`${text}T12:00:00`), locale)
  return (
    <section className="statement" aria-label={translate('statement')}>
      <p className="statement-owner">
        <bdi>{me.name}</bdi>
        <span className="reference">{me.wallet_id}</span>
      </p>
      <p className="soft">
        {translate('period', { from: day(period.first), to: day(period.last) })} · {LOCAL_TIME_ZONE}
      </p>
      {balances.map(({ currency, opening, money_in, money_out, closing }) => (
        <dl key={currency} className="sums">
          {(
            [
              ['openingBalance', opening],
              ['moneyIn', money_in],
              ['moneyOut', money_out],
              ['closingBalance', closing],
            ] as const
          ).map(([word, amount]) => (
            <div key={word} className={word === 'closingBalance' ? 'strong' : undefined}>
              <dt>{translate(word)}</dt>
              <dd>
                <Money amount={amount} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      ))}
      {activity.length === 0 ? (
        <p className="soft">{translate('nothingInPeriod')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col" className="statement-date">
                {translate('date')}
              </th>
              <th scope="col">{translate('description')}</th>
              <th scope="col">{translate('amount')}</th>
            </tr>
          </thead>
          <tbody>
            {activity.map((entry) => (
              <Line key={`${entry.reference} ${entry.kind}`} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Line({ entry }: { entry: ActivityEntry }) {
  const { translate, locale } = useLanguage()
  const moneyText = useMoneyText()
  const { kind, store, note, refund_fee: fee } = entry
  const at = parseTime(entry.at)
  const details = [
    store !== null && translate(KINDS[kind].word),
    fee !== null && !isZero(fee) && translate('feeOf', { amount: moneyText(fee, entry.currency) }),
    note,
  ]
  return (
    <tr>
      <td className="statement-date">
        {dateText(at, locale)}
        <span className="soft small">{clockOf(entry.at, locale)}</span>
      </td>
      <td>
        <bdi>{store ?? translate(KINDS[kind].word)}</bdi>
        <span className="soft small">{details.filter(Boolean).join(' · ')}</span>
        <span className="soft small statement-day">
          {dateText(at, locale)}, {clockOf(entry.at, locale)}
        </span>
      </td>
      <td>
        <SignedAmount {...entry} />
      </td>
    </tr>
  )
}

const dateText = (at: Date, locale: Locale) =>
  at.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    numberingSystem: 'latn',
  })
