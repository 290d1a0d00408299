import type { ChargedPayment } from '@florin/contract/store.js'
import { useState } from 'react'
import type { Answer } from '../kit/request.ts'
import type { Line } from './basket.ts'
import { useSession } from './session.tsx'

type Sale = {
  amount: string
  currency: string
  note: string
  products: readonly Line[]
  key: string
}

/** Creates a payment. A retry with the same key does not create a second one. */
export function useCharge() {
  const { request, mode } = useSession()
  const [isCharging, setCharging] = useState(false)

  async function charge(sale: Sale): Promise<Answer<ChargedPayment>> {
    const { amount, currency, note, products, key } = sale
    setCharging(true)
    const answer = await request<ChargedPayment>(`${mode}/payments`, {
      method: 'POST',
      // At most 15 digits, which a double holds exactly. No language: a retry needs the same body, even
      // after the language was changed.
      body: {
        amount: Number(amount),
        currency,
        reference_note: note.trim() || null,
        products: products.map(({ name, price, quantity }) => ({
          name,
          price: Number(price),
          quantity,
        })),
      },
      key,
    })
    setCharging(false)
    return answer
  }
  return { charge, isCharging }
}
