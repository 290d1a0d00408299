import type { Receipt } from '@florin/contract/wallet.js'
import type { WalletPayment } from '@florin/contract/walletActivity.js'
import type { Due } from './due.ts'

/** A new payment, for the receipt page to show until the page has loaded it from the server. */
export const paidPayment = (
  receipt: Receipt,
  { products, request_amount, reference_note, store_id }: Due,
  linkTitle: string | null,
): WalletPayment => ({
  ...receipt,
  products,
  request_amount,
  reference_note,
  store_id,
  reference_id: null,
  refund: null,
  link_title: linkTitle,
})
