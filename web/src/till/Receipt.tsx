import type { StorePayment } from '@florin/contract/store.js'
import './receipt.css'
import { useLayoutEffect, useRef } from 'react'
import { Button } from '../kit/controls.tsx'
import { Facts, Money, useTimeText } from '../kit/display.tsx'
import { setPaperSize } from '../kit/paper.ts'
import { useResource } from '../kit/query.ts'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { grossOf, lineTotal } from '../kit/store/payment.ts'
import { Frame, Loading } from './Frame.tsx'
import { useLanguage } from './language.ts'
import { MailReceipt } from './MailReceipt.tsx'
import { ReceiptCode, receiptUrl } from './ReceiptCode.tsx'
import { useSession } from './session.tsx'

export function ReceiptPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { mode } = useSession()
  const resource = useResource<StorePayment>(`${mode}/payments/${id}`)
  if (resource.data === null) return <Loading resource={resource} back={`#payment/${id}`} />
  return (
    <Frame title={translate('receipt')} back={`#payment/${id}`}>
      <div className="receipt-page">
        <Receipt payment={resource.data} />
        <div className="stack receipt-actions">
          <ReceiptCode url={receiptUrl(id)} />
          <Button isWide onClick={() => print()}>
            {translate('print')}
          </Button>
          <MailReceipt id={id} />
          <a className="button button-quiet button-wide" href="#home">
            {translate('nextSale')}
          </a>
        </div>
      </div>
    </Frame>
  )
}

/** The customer's receipt, so without the store's fees. As wide as the paper roll. */
function Receipt({ payment }: { payment: StorePayment }) {
  const { translate } = useLanguage()
  const { store } = useSession().account
  const paper = useRef<HTMLElement>(null)
  useLayoutEffect(() => setPaperSize(80, paperLength(paper.current!)))

  const { currency, reference, refund, request_amount: requested } = payment
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  const timeText = useTimeText(store.time_zone)
  return (
    <article className="receipt" ref={paper} aria-label={translate('receipt')}>
      <header>
        <StoreLogo url={store.logo} size={64} />
        <h2>{store.name}</h2>
        {[store.domain, store.phone, store.email].filter(Boolean).map((line) => (
          <p key={line}>
            <bdi>{line}</bdi>
          </p>
        ))}
      </header>
      {payment.is_sandbox_transaction && (
        <p className="receipt-sandbox">
          <strong>{translate('sandbox')}</strong>
          <br />
          {translate('sandboxNote')}
        </p>
      )}
      {payment.products.length > 0 && (
        <ul className="receipt-items">
          {payment.products.map((product, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two products can have the same name, and products never move.
            <li key={`${n} ${product.name}`}>
              <span>
                {product.quantity} × {product.name}
              </span>
              <Money amount={lineTotal(product, payment)} currency={requested.currency} />
            </li>
          ))}
        </ul>
      )}
      <p className="receipt-amount">
        <Money amount={grossOf(payment)} currency={currency} isLarge />
      </p>
      <p className="receipt-status">{translate(payment.status)}</p>
      <Facts
        facts={[
          [translate('time'), timeText(payment.paid_at ?? payment.created_at)],
          [translate('note'), reference.note && <bdi key="note">{reference.note}</bdi>],
          [translate('reference'), reference.id && <bdi key="reference">{reference.id}</bdi>],
          [translate('refundedOn'), refund && timeText(refund.refunded_at)],
          [translate('amountRefunded'), refund && money(refund.refund_amount)],
          [translate('payment'), <bdi key="id">{payment.payment_id}</bdi>],
        ]}
      />
      <p className="receipt-thanks">{translate('thanks')}</p>
    </article>
  )
}

const PX_PER_MM = 96 / 25.4

/** Extra length, because rounding could put the last line on a second page. */
const SPARE_MM = 2

/** The length of the receipt in millimetres. It is measured, because `@page` takes no `auto` for one side. */
const paperLength = (paper: HTMLElement): number =>
  Math.ceil(paper.getBoundingClientRect().height / PX_PER_MM) + SPARE_MM
