import type { PaymentPreview, Receipt } from '@florin/contract/wallet.js'
import type { WalletPayment } from '@florin/contract/walletActivity.js'
import { useCallback, useEffect, useRef, useState } from 'react'
import { getPreview, pay } from './api.ts'
import { type Refusal, refusalOf, refusalOfStatus } from './refusals.ts'

/** What the payer has to correct. */
export type PayNote = 'gift' | 'pinNeeded' | 'pinWrong'

/** What the payer agreed to. The PIN is null unless it was asked for. */
export type PayOrder = { readonly gift: string; readonly pin: string | null }

type PayState =
  | { readonly at: 'loading' }
  | { readonly at: 'refused'; readonly refusal: Refusal; readonly preview: PaymentPreview | null }
  | { readonly at: 'ready'; readonly preview: PaymentPreview; readonly note: PayNote | null }
  | { readonly at: 'paying' | 'checking'; readonly preview: PaymentPreview }

const RETRY_DELAYS_MS = [500, 1_000, 2_000]

/** No response, or an error that does not tell whether the payment was made. */
const isUncertain = (status: number) => status === 0 || status >= 500

type Callbacks = {
  readonly onSignedOut: () => void
  readonly onPaid: (payment: WalletPayment) => void
}

/** The state of a payment, from the preview until it is paid or can't be paid. */
export function usePayment(walletId: string, code: string, { onSignedOut, onPaid }: Callbacks) {
  const [state, setState] = useState<PayState>({ at: 'loading' })
  // A ref, because two presses in one frame see the same state.
  const isPaying = useRef(false)
  const attempt = useRef<{ gift: string; key: string } | null>(null)

  const load = useCallback(async () => {
    // A page that tries to reconnect keeps its message until it succeeds.
    setState((before) => {
      return before.at === 'refused' && before.refusal === 'lost' ? before : { at: 'loading' }
    })
    const answer = await getPreview(code)
    if (!answer.ok) {
      const { status } = answer.problem
      if (status === 401) return onSignedOut()
      return setState({ at: 'refused', refusal: refusalOfStatus(status), preview: null })
    }
    const { data } = answer
    const refusal = refusalOf(data)
    if (refusal === null) return setState({ at: 'ready', preview: data, note: null })
    setState({ at: 'refused', refusal, preview: data })
  }, [code, onSignedOut])
  useEffect(() => void load(), [load])

  async function submit(preview: PaymentPreview, order: PayOrder): Promise<void> {
    if (isPaying.current) return
    isPaying.current = true
    setState({ at: 'paying', preview })
    setState(await attemptPayment(preview, order))
    isPaying.current = false
  }

  async function attemptPayment(
    preview: PaymentPreview,
    { gift, pin }: PayOrder,
  ): Promise<PayState> {
    // A retry needs the same key. Another gift is another request.
    if (attempt.current?.gift !== gift) attempt.current = { gift, key: crypto.randomUUID() }
    const request = { gift, pin, key: attempt.current.key }
    const answer = await pay(walletId, code, request)
    if (answer.ok) return paid(preview, answer.data)
    const { status, fields } = answer.problem
    if (isUncertain(status)) {
      setState({ at: 'checking', preview })
      return retryPayment(preview, request)
    }
    if (status === 428) return { at: 'ready', preview, note: 'pinNeeded' }
    if (fields.includes('pin')) return { at: 'ready', preview, note: 'pinWrong' }
    if (status === 401) return signedOut()
    if (status === 400 || status === 403 || status === 409)
      return checkPreview(status, pin !== null)
    return refused(status, preview)
  }

  /**
   * Without a response, the outcome is unknown: the payment can be done, can still be done later, or can be
   * lost. The payer has agreed, so send the same request again. With the same key, the payer is charged at most once.
   */
  async function retryPayment(
    preview: PaymentPreview,
    request: Parameters<typeof pay>[2],
  ): Promise<PayState> {
    for (const delayMs of RETRY_DELAYS_MS) {
      await new Promise((done) => setTimeout(done, delayMs))
      const answer = await pay(walletId, code, request)
      if (answer.ok) return paid(preview, answer.data)
      const { status } = answer.problem
      if (status === 401) return signedOut()
      if (status === 402 || status === 410) return refused(status, preview)
      // Other refusals are about this request and say nothing about the first one.
    }
    const answer = await getPreview(code)
    const data = answer.ok ? answer.data : null
    // While the payment is pending, the first request can still arrive.
    const refusal = data === null || data.status === 'pending' ? null : refusalOf(data)
    return { at: 'refused', refusal: refusal ?? 'unsure', preview: data ?? preview }
  }

  /** The payment stays on the screen until the receipt replaces it. */
  function paid(preview: PaymentPreview, receipt: Receipt): PayState {
    const { products, request_amount, reference_note, store_id } = preview
    const order = { products, request_amount, reference_note, store_id }
    onPaid({ ...receipt, ...order, reference_id: null, refund: null })
    return { at: 'paying', preview }
  }

  /** Reads the preview again, because the payment may have failed or expired: only then it links back to the shop. */
  async function refused(status: number, before: PaymentPreview): Promise<PayState> {
    const answer = await getPreview(code)
    const preview = answer.ok ? answer.data : before
    return { at: 'refused', refusal: refusalOfStatus(status), preview }
  }

  function signedOut(): PayState {
    onSignedOut()
    return { at: 'loading' }
  }

  /** Reads the preview again, because the status alone does not tell the reason. */
  async function checkPreview(status: number, hadPin: boolean): Promise<PayState> {
    const answer = await getPreview(code)
    if (!answer.ok) return { at: 'refused', refusal: 'broken', preview: null }
    const { data } = answer
    const refusal = refusalOf(data)
    if (refusal !== null) return { at: 'refused', refusal, preview: data }
    if (status === 400) return { at: 'ready', preview: data, note: 'gift' }
    const denied = status === 403 && hadPin ? 'pinLocked' : 'busy'
    return { at: 'refused', refusal: status === 409 ? 'unsure' : denied, preview: data }
  }

  /** Called when the countdown ends. A payment in progress can still be in time. */
  function expire(): void {
    if (!isPaying.current) void load()
  }

  return { state, load, submit, expire }
}
