import type { Receipt } from '@florin/contract/wallet.js'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApiResponse } from '../kit/request.ts'
import { parseTime } from '../kit/time.ts'
import type { PayOrder, PayRequest } from './api.ts'
import { findUncertain, forgetKey, isKeyValid, keyFor, type Terms } from './attemptKeys.ts'
import { useReadOrder } from './live.ts'
import { canRetry, type Refusal } from './refusals.ts'

/** What the payer has to correct or confirm before the payment is made. */
export type PayNote = 'amount' | 'rate' | 'donation' | 'pinNeeded' | 'pinWrong'

/** What can be paid: a payment by its code, or a link. */
export type Payable<Preview> = {
  /** A name for this wallet and what it pays. */
  readonly name: string
  /** Whether it can be paid more than once. */
  readonly isRepeatable: boolean
  readonly getPreview: () => Promise<ApiResponse<Preview>>
  readonly pay: (request: PayRequest) => Promise<ApiResponse<Receipt>>
  /** Why this wallet can't pay. Null if it can. */
  readonly refusalOf: (preview: Preview) => Refusal | null
  readonly refusalOfStatus: (status: number) => Refusal
  /** Whether the preview shows the final outcome of a request that got no response. */
  readonly isSettled: (preview: Preview) => boolean
}

type PayState<Preview> =
  | { readonly phase: 'loading' }
  | { readonly phase: 'refused'; readonly refusal: Refusal; readonly preview: Preview | null }
  | { readonly phase: 'ready'; readonly preview: Preview; readonly note: PayNote | null }
  | { readonly phase: 'paying' | 'checking'; readonly preview: Preview }

type Attempt = {
  readonly request: PayRequest
  readonly terms: Terms
  readonly createdMs: number
}

/** A retry needs the same key. Another amount, rate or donation is another request. */
function attemptOf(terms: Terms, pin: string | null): Attempt {
  const { amount, rate, donation } = terms
  const { key, createdMs } = keyFor(terms)
  return { request: { amount, rate, donation, pin, key }, terms, createdMs }
}

const RETRY_DELAYS_MS = [500, 1_000, 2_000]

/** No response, or an error that leaves open whether the payment was made. */
const isUncertain = (status: number) => status === 0 || status >= 500

function noteOf(fields: readonly string[]): PayNote {
  if (fields.includes('conversion_rate')) return 'rate'
  return fields.includes('amount') ? 'amount' : 'donation'
}

type Callbacks<Preview> = {
  readonly onSignedOut: () => void
  /** `paidMs` is the time of the payment by the clock of this device. */
  readonly onPaid: (receipt: Receipt, preview: Preview, paidMs: number) => void
}

/** The state of a payment, from the preview until it is paid or can't be paid. A new `payable` restarts at the preview. */
export function usePayment<Preview>(
  payable: Payable<Preview>,
  { onSignedOut, onPaid }: Callbacks<Preview>,
) {
  const { name, isRepeatable, getPreview, pay, refusalOf, refusalOfStatus } = payable
  const [state, setState] = useState<PayState<Preview>>({ phase: 'loading' })
  // A ref, because two presses in one frame see the same state.
  const isPaying = useRef(false)
  const lastAttempt = useRef<Attempt | null>(null)
  const [isRetrying, setRetrying] = useState(false)
  const startRead = useReadOrder()

  const load = useCallback(async () => {
    // A page that tries to reconnect keeps its message until it succeeds.
    setState((before) => {
      return before.phase === 'refused' && before.refusal === 'connectionLost'
        ? before
        : { phase: 'loading' }
    })
    const isNewest = startRead()
    const response = await getPreview()
    if (!isNewest()) return
    if (!response.ok) {
      const { status } = response.problem
      if (status === 401) return onSignedOut()
      return setState({ phase: 'refused', refusal: refusalOfStatus(status), preview: null })
    }
    const { data } = response
    const refusal = refusalOf(data)
    if (refusal === null) return setState({ phase: 'ready', preview: data, note: null })
    const uncertain = isRepeatable ? findUncertain({ name, amount: null }) : null
    if (uncertain === null) return setState({ phase: 'refused', refusal, preview: data })
    // The earlier payment may be the reason, for example because it used up the balance.
    lastAttempt.current = attemptOf(uncertain, null)
    setState({ phase: 'refused', refusal: 'outcomeUnknown', preview: data })
  }, [name, isRepeatable, getPreview, refusalOf, refusalOfStatus, onSignedOut, startRead])
  useEffect(() => void load(), [load])

  async function submit(preview: Preview, order: PayOrder): Promise<void> {
    if (isPaying.current) return
    isPaying.current = true
    setState({ phase: 'paying', preview })
    setState(await attemptPayment(preview, order))
    isPaying.current = false
  }

  async function attemptPayment(preview: Preview, order: PayOrder): Promise<PayState<Preview>> {
    const { amount, rate, donation } = order
    const terms = { name, amount, rate, donation }
    // An earlier request at another rate or with another donation may have succeeded, so it is sent again first.
    const earlier = isRepeatable ? findUncertain(terms) : null
    const state = earlier && (await attemptWith(earlier, preview, order))
    return state ?? (await attemptWith(terms, preview, order))!
  }

  /** Null if the request is refused with 400 and its terms are not those of the order. */
  async function attemptWith(
    terms: Terms,
    preview: Preview,
    order: PayOrder,
  ): Promise<PayState<Preview> | null> {
    const attempt = attemptOf(terms, order.pin)
    lastAttempt.current = attempt
    const response = await pay(attempt.request)
    if (response.ok) return reportPaid(preview, attempt, response)
    const { status, fields } = response.problem
    if (isUncertain(status)) {
      setState({ phase: 'checking', preview })
      return retryPayment(preview, attempt)
    }
    // With 409, the first request may still be running. With 429, nobody looked at the key.
    if (![401, 409, 428, 429].includes(status)) forgetKey(terms)
    if (status === 428) return { phase: 'ready', preview, note: 'pinNeeded' }
    if (fields.includes('pin')) return { phase: 'ready', preview, note: 'pinWrong' }
    const hasOtherTerms = terms.rate !== order.rate || terms.donation !== order.donation
    if (status === 400 && hasOtherTerms) return null
    if (status === 401) return reportSignedOut()
    if (status === 400 || status === 403 || status === 409) {
      return checkPreview(status, { hadPin: order.pin !== null, note: noteOf(fields) })
    }
    return refuse(status, preview)
  }

  /**
   * Without a response, the outcome is unknown: the payment may have been made, may still be made, or may be
   * lost. The payer has agreed, so send the same request again. With the same key, the payer is charged at most once.
   */
  async function retryPayment(preview: Preview, attempt: Attempt): Promise<PayState<Preview>> {
    for (const delayMs of RETRY_DELAYS_MS) {
      await new Promise((done) => setTimeout(done, delayMs))
      // The device may have slept for days.
      if (!isKeyValid(attempt)) break
      const response = await pay(attempt.request)
      if (response.ok) return reportPaid(preview, attempt, response)
      const { status } = response.problem
      if (status === 401) return reportSignedOut()
      if (status === 402 || status === 410) {
        forgetKey(attempt.terms)
        return refuse(status, preview)
      }
      // Other refusals are about this request and say nothing about the first one.
    }
    const response = await getPreview()
    const data = response.ok ? response.data : null
    const refusal = data !== null && payable.isSettled(data) ? refusalOf(data) : null
    return { phase: 'refused', refusal: refusal ?? 'outcomeUnknown', preview: data ?? preview }
  }

  /** Resends the last request, whose outcome is unknown. It may never have arrived. If its key is too old, the payer has to agree again. */
  async function retryLast(preview: Preview): Promise<void> {
    const attempt = lastAttempt.current
    if (isPaying.current || attempt === null) return
    if (!isKeyValid(attempt)) return load()
    isPaying.current = true
    setRetrying(true)
    setState(await retryPayment(preview, attempt))
    setRetrying(false)
    isPaying.current = false
  }

  /**
   * The payment stays on the screen until the receipt replaces it. The response to a repeated key is that of the first request,
   * which may be hours old.
   */
  function reportPaid(
    preview: Preview,
    { terms }: Attempt,
    { data: receipt, serverMs }: { readonly data: Receipt; readonly serverMs: number },
  ): PayState<Preview> {
    forgetKey(terms)
    const ageMs = Math.max(0, serverMs - parseTime(receipt.paid_at).getTime())
    onPaid(receipt, preview, Date.now() - ageMs)
    return { phase: 'paying', preview }
  }

  /**
   * Reads the preview again, because the payment may have failed or expired. Only then does the preview have the link back
   * to the shop.
   */
  async function refuse(status: number, before: Preview): Promise<PayState<Preview>> {
    const response = await getPreview()
    const preview = response.ok ? response.data : before
    return { phase: 'refused', refusal: refusalOfStatus(status), preview }
  }

  function reportSignedOut(): PayState<Preview> {
    onSignedOut()
    return { phase: 'loading' }
  }

  /** Reads the preview again, because the status alone does not contain the reason. */
  async function checkPreview(
    status: number,
    { hadPin, note }: { hadPin: boolean; note: PayNote },
  ): Promise<PayState<Preview>> {
    const response = await getPreview()
    if (!response.ok) return { phase: 'refused', refusal: 'unexpectedError', preview: null }
    const { data } = response
    const refusal = refusalOf(data)
    if (refusal !== null) return { phase: 'refused', refusal, preview: data }
    if (status === 400) return { phase: 'ready', preview: data, note }
    if (status === 409) return { phase: 'refused', refusal: 'outcomeUnknown', preview: data }
    return { phase: 'refused', refusal: hadPin ? 'pinLocked' : 'busy', preview: data }
  }

  /** Shows the outcome of a request that got no response, once the preview has it. */
  async function recheck(): Promise<void> {
    const response = await getPreview()
    if (!response.ok) {
      if (response.problem.status === 401) onSignedOut()
      return
    }
    if (isPaying.current || !payable.isSettled(response.data)) return
    const refusal = refusalOf(response.data)
    if (refusal !== null) setState({ phase: 'refused', refusal, preview: response.data })
  }

  /** Undefined if another attempt can't succeed. */
  function findRetry(): (() => void) | undefined {
    if (state.phase !== 'refused') return undefined
    const { refusal, preview } = state
    if (refusal === 'outcomeUnknown' && preview !== null) return () => void retryLast(preview)
    return canRetry(refusal) ? () => void load() : undefined
  }

  /** Called when the countdown ends. A payment in progress can still be in time. */
  function expire(): void {
    if (!isPaying.current) void load()
  }

  /** Removes the note when the payer starts to correct it. */
  function dismissNote(): void {
    setState((before) => (before.phase === 'ready' ? { ...before, note: null } : before))
  }

  return { state, retry: findRetry(), isRetrying, load, recheck, submit, expire, dismissNote }
}
