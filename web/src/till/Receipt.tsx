import './receipt.css'
import { timeText } from '@florin/shared/time.js'
import { useLayoutEffect, useRef } from 'react'
import { Button } from '../kit/controls.tsx'
import { Facts, Money } from '../kit/display.tsx'
import { grossOf, type Payment } from '../kit/store/payment.ts'
import { useAsked } from '../kit/store/session.tsx'
import { parseTime } from '../kit/time.ts'
import { Frame } from './Frame.tsx'
import { Loading } from './Loading.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

export function ReceiptPage({ id }: { id: string }) {
  const { say } = useLanguage()
  const { mode } = useSession()
  const asked = useAsked<Payment>(`${mode}/payments/${id}`)
  if (asked.data === null) return <Loading asked={asked} back={`#payment/${id}`} />
  return (
    <Frame title={say('receipt')} back={`#payment/${id}`}>
      <div className="receipt-page">
        <Receipt payment={asked.data} />
        <div className="stack receipt-actions">
          <Button isWide onClick={() => print()}>
            {say('print')}
          </Button>
          <a className="button button-quiet button-wide" href="#home">
            {say('nextSale')}
          </a>
        </div>
      </div>
    </Frame>
  )
}

/** For the customer, so without what the store pays for it. As wide on the screen as on paper. */
function Receipt({ payment }: { payment: Payment }) {
  const { say, locale } = useLanguage()
  const { store } = useSession().who
  const paper = useRef<HTMLElement>(null)
  useLayoutEffect(() => setPaperHeight(paper.current!.getBoundingClientRect().height))

  const { currency, reference, refund, request_amount: asked } = payment
  const money = (amount: string) => <Money amount={amount} currency={currency} locale={locale} />
  const time = (text: string) => timeText(parseTime(text), { locale, timeZone: store.time_zone })
  return (
    <article className="receipt" ref={paper} aria-label={say('receipt')}>
      <header>
        <h2>{store.name}</h2>
        {[store.domain, store.phone, store.email].filter(Boolean).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </header>
      {payment.is_sandbox_transaction && (
        <p className="receipt-sandbox">
          <strong>{say('sandbox')}</strong>
          <br />
          {say('sandboxNote')}
        </p>
      )}
      {payment.products.length > 0 && (
        <ul className="receipt-items">
          {payment.products.map(({ name, quantity, price }) => (
            <li key={name}>
              <span>
                {quantity} × {name}
              </span>
              <Money amount={price} currency={asked.currency} locale={locale} />
            </li>
          ))}
        </ul>
      )}
      <p className="receipt-amount">
        <Money amount={grossOf(payment)} currency={currency} locale={locale} isLarge />
      </p>
      <p className="receipt-status">{say(payment.status)}</p>
      <Facts
        facts={[
          [say('time'), time(payment.created_at)],
          [say('note'), reference.note && <bdi key="note">{reference.note}</bdi>],
          [say('reference'), reference.id],
          [say('refundedOn'), refund && time(refund.refunded_at)],
          [say('payerGot'), refund && money(refund.refund_amount)],
          [say('payment'), <bdi key="id">{payment.payment_id}</bdi>],
        ]}
      />
      <p className="receipt-thanks">{say('thanks')}</p>
    </article>
  )
}

const PX_PER_MM = 96 / 25.4

/** A little more than the receipt, or rounding would put its last line on a second page. */
const SPARE_MM = 2

const sheet = new CSSStyleSheet()

/**
 * Paper on a roll is as long as what is printed on it. `size` takes no `auto` for one side alone, so
 * the length is measured; and a sheet made by a script is not the inline style that the policy forbids.
 */
export function setPaperHeight(px: number): void {
  const mm = Math.ceil(px / PX_PER_MM) + SPARE_MM
  sheet.replaceSync(`@page { size: 80mm ${mm}mm; margin: 0 }`)
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
}
