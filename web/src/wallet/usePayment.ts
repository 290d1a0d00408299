import { useCallback, useEffect, useRef, useState } from 'react'
import { getPreview, type Preview, pay, type Receipt } from './api.ts'
import { type Refusal, refusalOf, refusalOfStatus } from './refusals.ts'

export type PayState =
  | { readonly at: 'loading' }
  | { readonly at: 'refused'; readonly refusal: Refusal; readonly preview: Preview | null }
  | { readonly at: 'ready'; readonly preview: Preview; readonly note: 'lost' | 'gift' | null }
  | { readonly at: 'paying' | 'checking'; readonly preview: Preview }
  | { readonly at: 'paid'; readonly receipt: Receipt }

const LOOKS = 6
const FIRST_PAUSE_MS = 500

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
    switch (answer.status) {
      case 0:
        setState({ at: 'checking', preview })
        return whatHappened(preview, gift, key)
      case 401:
        onSignedOut()
        return { at: 'loading' }
      case 400:
      case 403:
      case 409:
        return lookAgain(answer.status)
      default:
        return { at: 'refused', refusal: refusalOfStatus(answer.status), preview }
    }
  }

  /** The status alone does not tell why; the payment itself does. */
  async function lookAgain(status: number): Promise<PayState> {
    const { data } = await getPreview(code)
    if (data === null) return { at: 'refused', refusal: 'broken', preview: null }
    const refusal = refusalOf(data)
    if (refusal !== null) return { at: 'refused', refusal, preview: data }
    return status === 400
      ? { at: 'ready', preview: data, note: 'gift' }
      : { at: 'refused', refusal: 'busy', preview: data }
  }

  /** No answer came: it may be paid or not, and the payer must not have to guess. */
  async function whatHappened(preview: Preview, gift: string, key: string): Promise<PayState> {
    for (let look = 0; look < LOOKS; look++) {
      await new Promise((done) => setTimeout(done, FIRST_PAUSE_MS * 2 ** look))
      const { status, data } = await getPreview(code)
      if (data === null && status === 0) continue
      if (data === null) return { at: 'refused', refusal: refusalOfStatus(status), preview }
      if (data.reason === 'paid_already') {
        // Asked once more under the same key, it answers with the receipt and takes nothing.
        const again = await pay(walletId, code, gift, key)
        if (again.data !== null) return { at: 'paid', receipt: again.data }
      }
      const refusal = refusalOf(data)
      if (refusal !== null) return { at: 'refused', refusal, preview: data }
      return { at: 'ready', preview: data, note: 'lost' }
    }
    return { at: 'refused', refusal: 'lost', preview }
  }

  return { state, load, payNow }
}
