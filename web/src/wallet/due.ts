import type { PaymentPreview } from '@florin/contract/wallet.js'

/** What the payer is asked to pay. */
export type Due = Pick<
  PaymentPreview,
  | 'amount'
  | 'currency'
  | 'request_amount'
  | 'products'
  | 'reference_note'
  | 'balance'
  | 'pin_needed'
  | 'store_id'
  | 'store'
>
