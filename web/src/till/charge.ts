import { useState } from 'react'
import type { Answer } from '../kit/request.ts'
import type { Payment } from '../kit/store/payment.ts'
import { useSession } from './session.tsx'

type Sale = { amount: string; currency: string; note: string; key: string }

/** Asks for money. Tried again under the same key, it is still one payment. */
export function useCharge() {
  const { ask, mode } = useSession()
  const [isCharging, setCharging] = useState(false)

  async function charge({ amount, currency, note, key }: Sale): Promise<Answer<Payment>> {
    setCharging(true)
    const answer = await ask<Payment>(`${mode}/payments`, {
      method: 'POST',
      // At most 15 digits, which a number carries without loss. No language: the same key needs the same
      // body, also where somebody changed the language before trying again.
      body: { amount: Number(amount), currency, reference_note: note.trim() || null },
      key,
    })
    setCharging(false)
    return answer
  }
  return { charge, isCharging }
}
