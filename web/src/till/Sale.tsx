import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { useEffect, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Problem } from '../kit/request.ts'
import { prepareSound } from '../kit/sound.ts'
import { grossOf, type Payment } from '../kit/store/payment.ts'
import { endOf, useStatus } from '../kit/store/paymentStatus.ts'
import { useAsked } from '../kit/store/session.tsx'
import { typedOf } from './amount.ts'
import { CodeScreen } from './CodeScreen.tsx'
import { tellDisplay } from './channel.ts'
import { useCharge } from './charge.ts'
import { keepDraft, newDraft } from './draft.ts'
import { Loading } from './Loading.tsx'
import { useLanguage } from './language.ts'
import { Outcome } from './Outcome.tsx'
import { go } from './route.ts'
import { useSession } from './session.tsx'

// From the start, because the first touch of the page is what allows it.
const play = prepareSound()

/** One payment from its code to its end. The address names it, so a reload loses nothing. */
export function Sale({ id }: { id: string }) {
  const { mode } = useSession()
  const asked = useAsked<Payment>(`${mode}/payments/${id}`)
  const { data, serverMs } = asked
  if (data === null) return <Loading asked={asked} back="#home" />
  return <OpenSale key={id} payment={data} endsMs={endOf(data, serverMs)} />
}

function OpenSale({ payment, endsMs: firstEndsMs }: { payment: Payment; endsMs: number }) {
  const { say } = useLanguage()
  const { ask, mode, who } = useSession()
  // Once: with every render the clock of the device has moved on, and the end has not.
  const [endsMs] = useState(firstEndsMs)
  const followed = useStatus(payment, endsMs)
  const { charge, isCharging } = useCharge()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isCancelling, setCancelling] = useState(false)
  const { payment_id: id, qr_code: code, currency, is_sandbox_transaction: isSandbox } = payment
  // Who gives a sale up is on the way to the keypad and needs no news of it.
  const status = isCancelling && followed.status === 'expired' ? 'pending' : followed.status
  const gross = grossOf(payment)
  const store = who.store.name
  const note = payment.reference.note ?? ''

  useEffect(() => {
    const sale = { kind: 'sale', amount: gross, currency, code, status, endsMs } as const
    tellDisplay({ ...sale, store, isSandbox })
  }, [gross, currency, code, status, endsMs, store, isSandbox])
  useEffect(() => () => tellDisplay({ kind: 'welcome', store, isSandbox }), [store, isSandbox])
  useEffect(() => {
    // Only what happened before our eyes is news.
    if (status !== payment.status) play(status)
  }, [status, payment.status])

  async function cancel(): Promise<void> {
    setProblem(null)
    setCancelling(true)
    const answer = await ask(`${mode}/payments/${id}/expire`, { method: 'POST' })
    if (!answer.ok) {
      setCancelling(false)
      // Paid in the same moment: then there is nothing to give up, and the news is on its way.
      if (answer.problem.status !== 409) setProblem(answer.problem)
      return
    }
    const typed = typedOf(gross, decimalsOf(currency as CurrencyCode))
    keepDraft(newDraft(typed, note), who.store.id)
    go('home')
  }

  /** The same sale again. Its key comes from the old one, so that two taps make one new code. */
  async function renew(): Promise<void> {
    setProblem(null)
    const answer = await charge({ ...payment.request_amount, note, key: `again-${id}` })
    if (answer.ok) go(`sale/${answer.data.payment_id}`)
    else setProblem(answer.problem)
  }

  const notes = problem && <ProblemNote problem={problem} />
  if (status !== 'pending') {
    return (
      <Outcome payment={payment} status={status} renew={() => void renew()} isRenewing={isCharging}>
        {notes}
      </Outcome>
    )
  }
  return (
    <CodeScreen
      amount={gross}
      currency={currency}
      code={code}
      endsMs={endsMs}
      isSandbox={isSandbox}
      store={store}
    >
      {notes}
      {followed.isOffline && <p className="notice tone-expired">{say('offlineSale')}</p>}
      {note && (
        <p className="code-note" dir="auto">
          {note}
        </p>
      )}
      <Button look="quiet" isWide isBusy={isCancelling} onClick={() => void cancel()}>
        {say('cancel')}
      </Button>
    </CodeScreen>
  )
}
