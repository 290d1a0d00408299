// Acts as a storefront: orders tea, prints the address of the page where the customer pays, and waits until the order is placed.
import { setTimeout as sleep } from 'node:timers/promises'

const SHOP_URL = process.env.SHOP_URL ?? 'http://127.0.0.1:9000'

async function call(path, body) {
  const response = await fetch(SHOP_URL + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      'x-publishable-api-key': process.env.PUBLISHABLE_KEY ?? '',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const result = await response.json()
  if (!response.ok) throw new Error(result.message)
  return result
}

const { regions } = await call('/store/regions')
const { products } = await call('/store/products?fields=*variants')
const { cart } = await call('/store/carts', {
  region_id: regions[0].id,
  email: 'ada@example.com',
  items: [{ variant_id: products[0].variants[0].id, quantity: 2 }],
})
const { payment_collection: collection } = await call('/store/payment-collections', {
  cart_id: cart.id,
})
const { payment_collection: started } = await call(
  `/store/payment-collections/${collection.id}/payment-sessions`,
  { provider_id: 'pp_florin_florin' },
)
console.log(`Cart ${cart.id}: ${cart.total} ${cart.currency_code}`)
console.log(`Pay here: ${started.payment_sessions[0].data.checkout_url}`)

for (;;) {
  const { cart: current } = await call(`/store/carts/${cart.id}?fields=id,completed_at`)
  if (current.completed_at) {
    console.log(`Cart ${cart.id} is paid and ordered`)
    break
  }
  await sleep(1_000)
}
