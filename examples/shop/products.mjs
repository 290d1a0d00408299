export const CURRENCY = 'USD'

/** Prices in minor units: 650n is 6.50. Customers send product ids and quantities, never prices. */
export const PRODUCTS = [
  { id: 'tea', name: 'Green tea, 100 g', price: 650n },
  { id: 'cup', name: 'Cup', price: 1200n },
  { id: 'pot', name: 'Teapot', price: 3400n },
]

const MAX_QUANTITY = 20

/** Reads the ordered items; ignores unknown products and invalid quantities. */
export function itemsOf(form) {
  return PRODUCTS.flatMap(({ id }) => {
    const quantity = Number(form.get(id))
    return Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_QUANTITY
      ? [{ id, quantity }]
      : []
  })
}

const productOf = (id) => PRODUCTS.find((product) => product.id === id)

export const linesOf = ({ items }) =>
  items.map(({ id, quantity }) => ({ ...productOf(id), quantity }))

export const totalOf = (order) =>
  linesOf(order).reduce((sum, { price, quantity }) => sum + price * BigInt(quantity), 0n)

export const amountText = (minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
