import type { Refund } from '@florin/contract/payments.js'
import type { RefundPreview } from '@florin/contract/store.js'
import type { Mode } from '@florin/server/core/ids.js'
import { useState } from 'react'
import { Facts, Money, useMoneyText } from '../display.tsx'
import { useAction } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { type Resource, useResource } from '../query.ts'
import type { Problem } from '../request.ts'
import { useSession } from './session.tsx'

type RefundState = {
  readonly preview: Resource<RefundPreview>
  readonly isBusy: boolean
  readonly problem: Problem | null
  /** The refund, once it is done. Its amount and fee can differ from the preview's. */
  readonly result: Refund | null
  readonly refund: () => Promise<void>
}

/** The preview of a refund, and the refund itself. */
export function useRefund(mode: Mode, id: string): RefundState {
  const { request } = useSession()
  const path = `${mode}/payments/${id}/refund`
  const preview = useResource<RefundPreview>(path)
  const [result, setResult] = useState<Refund | null>(null)
  const { isBusy, problem, start } = useAction(async () => {
    // A payment has at most one refund, so its id determines the Idempotency-Key.
    const response = await request<Refund>(path, { method: 'POST', key: `refund-${id}` })
    if (!response.ok) preview.reload()
    return response
  }, setResult)
  return { preview, isBusy, problem, result, refund: start }
}

type RefundFactsProps = {
  preview: RefundPreview
  /** Whether the page shows what the payer gets as its heading. */
  isAmountShown?: boolean
}

export function RefundFacts({ preview, isAmountShown = false }: RefundFactsProps) {
  const { translate } = useStaffLanguage()
  const money = (amount: string) => <Money amount={amount} currency={preview.currency} />
  const waivedFee = preview.refund_fee_waived
  return (
    <Facts
      facts={[
        [translate('paid'), money(preview.gross)],
        [translate('refundFee'), money(preview.refund_fee)],
        [translate('feeWaived'), waivedFee && Number(waivedFee) > 0 ? money(waivedFee) : null],
        [translate('payerGets'), !isAmountShown && money(preview.refund_amount)],
        [translate('balanceNow'), preview.store_balance && money(preview.store_balance)],
        [
          translate('balanceAfter'),
          preview.store_balance_after && <strong>{money(preview.store_balance_after)}</strong>,
        ],
      ]}
    />
  )
}

/** Why the payment cannot be refunded, or not by the signed-in person. */
export function useRefundReason(): (preview: RefundPreview) => string {
  const { translate } = useStaffLanguage()
  const moneyText = useMoneyText()
  const { refund_cap: cap } = useSession().account
  return ({ reason, currency }) => {
    if (reason === 'above_refund_cap' && cap !== null) {
      return translate('aboveCap', { cap: moneyText(cap, currency) })
    }
    return reason === null || reason === 'above_refund_cap'
      ? translate('forbidden')
      : translate(reason)
  }
}
