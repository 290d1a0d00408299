import type { ChargedPayment, StorePayment } from '@florin/contract/store.js'
import { useState } from 'react'
import type { ApiResponse } from '../kit/request.ts'
import { parseTime } from '../kit/time.ts'
import type { Line } from './basket.ts'
import { useSession } from './session.tsx'

const REQUEST_SECONDS = 86_400

/** Whether the payment is valid long enough to be sent to the customer. */
export const isRequest = ({ created_at: from, expires_at: until }: StorePayment): boolean =>
  parseTime(until).getTime() - parseTime(from).getTime() >= REQUEST_SECONDS * 1000

type Sale = {
  amount: string
  currency: string
  note: string
  products: readonly Line[]
  key: string
  /** Valid for a day, to be sent to the customer. */
  isDayLong?: boolean
}

/** Creates a payment. A retry with the same key does not create a second one. */
export function useCharge() {
  const { request, mode } = useSession()
  const [isCharging, setCharging] = useState(false)

  async function charge(sale: Sale): Promise<ApiResponse<ChargedPayment>> {
    const { amount, currency, note, products, key, isDayLong = false } = sale
    setCharging(true)
    const response = await request<ChargedPayment>(`${mode}/payments`, {
      method: 'POST',
      // Amounts have at most 15 digits, which a double holds exactly. The body has no language, because a retry
      // needs the same body even after the language was changed.
      body: {
        amount: Number(amount),
        currency,
        ...(isDayLong && { expires_in: REQUEST_SECONDS }),
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
    return response
  }
  return { charge, isCharging }
}
