import type { StorePayment } from '@florin/contract/store.js'
import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { useKeys } from '../kit/keyboard.ts'
import { ProblemNote } from '../kit/problems.tsx'
import { useResource } from '../kit/query.ts'
import type { Problem } from '../kit/request.ts'
import { navigate } from '../kit/router.ts'
import { OfflineNote } from '../kit/store/OfflineNote.tsx'
import { PaymentRequestButtons } from '../kit/store/PaymentRequest.tsx'
import { grossOf, outcomeAmountOf, shownStatus } from '../kit/store/payment.ts'
import { expiryOf, usePaymentStatus } from '../kit/store/paymentStatus.ts'
import { typedOf } from '../kit/typedAmount.ts'
import { CodeScreen } from './CodeScreen.tsx'
import { updateDisplay } from './channel.ts'
import { isRequest, useCharge } from './charge.ts'
import { createDraft, loadCharged, restoreDraft, saveCharged } from './draft.ts'
import { Loading } from './Frame.tsx'
import { useLanguage } from './language.ts'
import { useMounted } from './mounted.ts'
import { Outcome } from './Outcome.tsx'
import { receiptUrl } from './ReceiptCode.tsx'
import { useSession, useShop } from './session.tsx'
import { playOutcome } from './sound.ts'

/** One payment from its code to its outcome. Its id is in the URL, so a reload loses nothing. */
export function Sale({ id }: { id: string }) {
  const { mode } = useSession()
  const resource = useResource<StorePayment>(`${mode}/payments/${id}`)
  const { data, serverMs } = resource
  if (data === null) return <Loading resource={resource} back="#home" />
  const endsMs = expiryOf(data, serverMs)
  return <OpenSale key={id} payment={data} endsMs={endsMs} reload={resource.reload} />
}

type OpenSaleProps = { payment: StorePayment; endsMs: number; reload: () => void }

function OpenSale({ payment, endsMs: firstEndsMs, reload }: OpenSaleProps) {
  const { translate } = useLanguage()
  const { request, mode, account } = useSession()
  // Computed once: later renders would add the time since the response.
  const [endsMs] = useState(firstEndsMs)
  const followed = usePaymentStatus(payment, endsMs)
  const { charge, isCharging } = useCharge()
  const [cancelProblem, setCancelProblem] = useState<Problem | null>(null)
  const [renewProblem, setRenewProblem] = useState<Problem | null>(null)
  const [isCancelling, setCancelling] = useState(false)
  const isMounted = useMounted()
  const shop = useShop()
  const { payment_id: id, qr_code: code, currency } = payment
  // After a cancellation the till goes back to the keypad, so the expiry is not shown.
  const status = isCancelling && followed.status === 'expired' ? 'pending' : followed.status
  // Another person can cancel the sale. Only the details distinguish that from an expiry.
  const shown = payment.status === status ? shownStatus(payment) : status
  const gross = grossOf(payment)
  const shownAmount = outcomeAmountOf(payment)
  const note = payment.reference.note ?? ''

  useEffect(() => {
    updateDisplay({
      kind: 'sale',
      ...shop,
      amount: shownAmount,
      currency,
      code,
      status: shown,
      endsMs,
      receiptUrl: receiptUrl(id),
    })
  }, [id, shownAmount, currency, code, shown, endsMs, shop])
  useEffect(() => () => updateDisplay({ kind: 'welcome', ...shop }), [shop])
  // Only for a change on this screen, not for an outcome that was loaded.
  const playedStatus = useRef(status)
  useEffect(() => {
    if (status === playedStatus.current) return
    playedStatus.current = status
    playOutcome(status)
  }, [status])
  useEffect(() => {
    if (status !== payment.status) reload()
  }, [status, payment.status, reload])

  async function cancel(): Promise<void> {
    setCancelProblem(null)
    setCancelling(true)
    const response = await request(`${mode}/payments/${id}/expire`, { method: 'POST' })
    if (!isMounted.current) return
    if (!response.ok) {
      setCancelling(false)
      // 409: the payment has already ended. The status updates by itself.
      if (response.problem.status !== 409) setCancelProblem(response.problem)
      return
    }
    const typed = typedOf(gross, decimalsOf(currency as CurrencyCode))
    const names = { custom: translate('customAmount'), tip: translate('tip') }
    const entry = loadCharged(id) ?? { typed, note, lines: [] }
    restoreDraft(createDraft(names, entry), account.store.id)
    navigate('home')
  }

  /** Charges the same sale again. The key comes from the old payment, so that two taps make one new code. */
  async function renew(): Promise<void> {
    setRenewProblem(null)
    const { request_amount: amount, products } = payment
    const response = await charge({ ...amount, note, products, key: `again-${id}` })
    if (!isMounted.current) return
    if (!response.ok) return setRenewProblem(response.problem)
    const { payment_id: newId } = response.data
    // A cancellation of the new payment also restores the items, and the amount without the tip.
    const entry = loadCharged(id)
    if (entry !== null) saveCharged(entry, newId)
    navigate(`sale/${newId}`)
  }

  const openNextSale = () => navigate('home')
  const isOpenRequest = shown === 'pending' && isRequest(payment)
  useKeys((key) => {
    const isNext = isOpenRequest && key === 'Escape'
    if (isNext) openNextSale()
    return isNext
  })

  if (shown !== 'pending') {
    return (
      <Outcome payment={payment} status={shown} renew={() => void renew()} isRenewing={isCharging}>
        {renewProblem && (
          <ProblemNote problem={renewProblem} noResponseText={translate('chargeNoResponse')} />
        )}
      </Outcome>
    )
  }
  return (
    <CodeScreen
      {...shop}
      title={isOpenRequest ? translate('paymentRequest') : undefined}
      amount={gross}
      currency={currency}
      code={code}
      endsMs={endsMs}
    >
      {cancelProblem && <ProblemNote problem={cancelProblem} />}
      {followed.isOffline && <OfflineNote endsMs={endsMs} />}
      {note && (
        <p className="code-note" dir="auto">
          {note}
        </p>
      )}
      {/* The customer pays a request later, so the till is free for the next sale. */}
      {isOpenRequest && (
        <Button isWide onClick={openNextSale}>
          {translate('nextSale')}
        </Button>
      )}
      <div className="row-center">
        {isOpenRequest && <PaymentRequestButtons payment={payment} />}
        <Button
          look={isOpenRequest ? 'link' : 'quiet'}
          isWide={!isOpenRequest}
          isBusy={isCancelling}
          onClick={() => void cancel()}
        >
          {translate('cancelSale')}
        </Button>
      </div>
    </CodeScreen>
  )
}
