import type { ChargedPayment } from '@florin/contract/store.js'
import { useState } from 'react'
import type { Answer } from '../kit/request.ts'
import { useSession } from './session.tsx'

type Sale = { amount: string; currency: string; note: string; key: string }

/** Creates a payment. A retry with the same key does not create a second one. */
export function useCharge() {
  const { request, mode } = useSession()
  const [isCharging, setCharging] = useState(false)

  async function charge({ amount, currency, note, key }: Sale): Promise<Answer<ChargedPayment>> {
    setCharging(true)
    const answer = await request<ChargedPayment>(`${mode}/payments`, {
      method: 'POST',
      // At most 15 digits, which a double holds exactly. No language: a retry needs the same body, even
      // after the language was changed.
      body: { amount: Number(amount), currency, reference_note: note.trim() || null },
      key,
    })
    setCharging(false)
    return answer
  }
  return { charge, isCharging }
}
