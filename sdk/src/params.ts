import { amountText, decimalText, invalid } from './amounts.ts'
import type {
  CreateLinkParams,
  CreateParams,
  Product,
  QrQuery,
  SandboxPayParams,
} from './requests.ts'

export type QrParams<Format extends 'svg' | 'png' = 'svg' | 'png'> = QrQuery & {
  readonly format?: Format
}

export function createBody(params: CreateParams): string {
  const { amount, currency, products } = params
  return objectText(params, {
    amount: amountText(amount, { field: 'amount', currency }),
    products: products && productsText(products, currency),
  })
}

export function createLinkBody(params: CreateLinkParams): string {
  const { amount, products } = params
  // Without a currency, its decimals are unknown: a bigint is refused with an error that names the store's currency.
  const currency = params.currency ?? "the store's currency"
  return objectText(params, {
    amount: amount == null ? undefined : amountText(amount, { field: 'amount', currency }),
    products: products && productsText(products, currency),
  })
}

export function sandboxPayBody(params: SandboxPayParams): string {
  const { donation_amount: donation } = params
  return objectText(params, {
    donation_amount: donation == null ? undefined : decimalText(donation, 'donation_amount'),
  })
}

/** Ids are part of paths: an empty id or `..` would change the path. */
export function checkedId(id: string, noun: 'payment' | 'link' = 'payment'): string {
  if (typeof id === 'string' && /^\w+$/.test(id)) return id
  throw invalid(`${noun}_id`, `must be the id of a ${noun}`)
}

const productsText = (products: readonly Product[], currency: string) =>
  `[${products.map((product, index) => productText(product, index, currency)).join()}]`

function productText(product: Product, index: number, currency: string): string {
  const field = `products.${index}.price`
  return objectText(product, { price: amountText(product.price, { field, currency }) })
}

/** Serializes JSON with preformatted fields, because amounts must not pass through a float. */
function objectText(fields: object, formatted: Record<string, string | null | undefined>): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const text = formatted[name] ?? JSON.stringify(value)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${parts.join()}}`
}
