import { useCallback, useEffect, useRef, useState } from 'react'
import { getPreview, type Preview, pay, type Receipt } from './api.ts'
import { type Refusal, refusalOf, refusalOfStatus } from './refusals.ts'

export type PayState =
  | { readonly at: 'loading' }
  | { readonly at: 'refused'; readonly refusal: Refusal; readonly preview: Preview | null }
  | { readonly at: 'ready'; readonly preview: Preview; readonly note: 'gift' | null }
  | { readonly at: 'paying' | 'checking'; readonly preview: Preview }
  | { readonly at: 'paid'; readonly receipt: Receipt }

const PAUSES_MS = [500, 1_000, 2_000]

/** Nothing came, or an error from which nobody can tell how far the request got. */
const isOpen = (status: number) => status === 0 || status >= 500

/** From a number to a receipt, or to the reason why there is none. */
export function usePayment(walletId: string, code: string, onSignedOut: () => void) {
  const [state, setState] = useState<PayState>({ at: 'loading' })
  // Set before anything is drawn again: two presses in one frame must not both get through.
  const isPaying = useRef(false)
  const attempt = useRef<{ gift: string; key: string } | null>(null)

  const load = useCallback(async () => {
    setState({ at: 'loading' })
    const { status, data } = await getPreview(code)
    if (status === 401) return onSignedOut()
    if (data === null) {
      return setState({ at: 'refused', refusal: refusalOfStatus(status), preview: null })
    }
    const refusal = refusalOf(data)
    if (refusal === null) return setState({ at: 'ready', preview: data, note: null })
    setState({ at: 'refused', refusal, preview: data })
  }, [code, onSignedOut])
  useEffect(() => void load(), [load])

  async function payNow(preview: Preview, gift: string): Promise<void> {
    if (isPaying.current) return
    isPaying.current = true
    setState({ at: 'paying', preview })
    setState(await tryToPay(preview, gift))
    isPaying.current = false
  }

  async function tryToPay(preview: Preview, gift: string): Promise<PayState> {
    // The same press sent again must be the same request; another gift is another one.
    if (attempt.current?.gift !== gift) attempt.current = { gift, key: crypto.randomUUID() }
    const { key } = attempt.current
    const answer = await pay(walletId, code, gift, key)
    if (answer.data !== null) return { at: 'paid', receipt: answer.data }
    const { status } = answer
    if (isOpen(status)) {
      setState({ at: 'checking', preview })
      return payAgain(preview, gift, key)
    }
    if (status === 401) return signedOut()
    if (status === 400 || status === 403 || status === 409) return lookAgain(status)
    return { at: 'refused', refusal: refusalOfStatus(status), preview }
  }

  /**
   * No answer came, so it may be paid or not, now or in a moment. The press was the consent: the same
   * request under the same key takes nothing twice, and what it answers is final.
   */
  async function payAgain(preview: Preview, gift: string, key: string): Promise<PayState> {
    for (const pauseMs of PAUSES_MS) {
      await new Promise((done) => setTimeout(done, pauseMs))
      const { status, data } = await pay(walletId, code, gift, key)
      if (data !== null) return { at: 'paid', receipt: data }
      if (status === 401) return signedOut()
      if (status === 402 || status === 410) {
        return { at: 'refused', refusal: refusalOfStatus(status), preview }
      }
      // Any other refusal is of this request; of the first one it says nothing.
    }
    const { data } = await getPreview(code)
    // While it is pending, the first request may still arrive.
    const refusal = data === null || data.status === 'pending' ? null : refusalOf(data)
    return { at: 'refused', refusal: refusal ?? 'unsure', preview: data ?? preview }
  }

  function signedOut(): PayState {
    onSignedOut()
    return { at: 'loading' }
  }

  /** The status alone does not tell why; the payment itself does. */
  async function lookAgain(status: number): Promise<PayState> {
    const { data } = await getPreview(code)
    if (data === null) return { at: 'refused', refusal: 'broken', preview: null }
    const refusal = refusalOf(data)
    if (refusal !== null) return { at: 'refused', refusal, preview: data }
    return status === 400
      ? { at: 'ready', preview: data, note: 'gift' }
      : { at: 'refused', refusal: status === 409 ? 'unsure' : 'busy', preview: data }
  }

  /** The clock of the page ran out. What is being paid may be in time: its answer tells. */
  function expire(): void {
    if (!isPaying.current) void load()
  }

  return { state, load, payNow, expire }
}
