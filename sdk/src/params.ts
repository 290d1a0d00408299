import { amountText, decimalText, invalid } from './amounts.ts'
import type { CreateParams, Product, QrQuery, SandboxPayParams } from './requests.ts'

export type QrParams<Format extends 'svg' | 'png' = 'svg' | 'png'> = QrQuery & {
  readonly format?: Format
}

export function createBody(params: CreateParams): string {
  const { amount, currency, products } = params
  return objectText(params, {
    amount: amountText(amount, { field: 'amount', currency }),
    products: products && `[${products.map((one, at) => productText(one, at, currency)).join()}]`,
  })
}

export function sandboxPayBody(params: SandboxPayParams): string {
  const { donation_amount: donation } = params
  return objectText(params, {
    donation_amount: donation && decimalText(donation, 'donation_amount'),
  })
}

/** Ids are part of paths: an empty id or `..` would change the path. */
export function checkedId(paymentId: string): string {
  if (typeof paymentId === 'string' && /^\w+$/.test(paymentId)) return paymentId
  throw invalid('payment_id', 'must be the id of a payment')
}

function productText(product: Product, at: number, currency: string): string {
  const field = `products.${at}.price`
  return objectText(product, { price: amountText(product.price, { field, currency }) })
}

/** Serialises JSON with preformatted fields, because amounts must not pass through a float. */
function objectText(fields: object, written: Record<string, string | null | undefined>): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const text = written[name] ?? JSON.stringify(value)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${parts.join()}}`
}
