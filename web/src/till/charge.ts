import { useState } from 'react'
import type { Answer } from './api.ts'
import { useLanguage } from './language.ts'
import type { Payment } from './payment.ts'
import { useSession } from './session.tsx'

type Sale = { amount: string; currency: string; note: string; key: string }

/** Asks for money. Tried again under the same key, it is still one payment. */
export function useCharge() {
  const { ask, mode } = useSession()
  const { locale } = useLanguage()
  const [isCharging, setCharging] = useState(false)

  async function charge({ amount, currency, note, key }: Sale): Promise<Answer<Payment>> {
    setCharging(true)
    const answer = await ask<Payment>(`${mode}/payments`, {
      method: 'POST',
      // At most 15 digits, which a number carries without loss.
      body: { amount: Number(amount), currency, reference_note: note.trim() || null, locale },
      key,
    })
    setCharging(false)
    return answer
  }
  return { charge, isCharging }
}
