// Acts as a storefront: orders tea, prints the address of the page where the customer pays, and waits until the order is paid.
import { setTimeout as sleep } from 'node:timers/promises'

const SHOP_API = `${process.env.SHOP_URL ?? 'http://127.0.0.1:3000'}/shop-api`
let session = ''

async function call(query, variables = {}) {
  const response = await fetch(SHOP_API, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(session && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify({ query, variables }),
  })
  // Vendure starts a session with the first item in the cart.
  session = response.headers.get('vendure-auth-token') ?? session
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  const failed = Object.values(data).find((result) => result?.errorCode)
  if (failed) throw new Error(failed.message)
  return data
}

const { products } = await call('{ products { items { variants { id } } } }')
await call(
  `mutation ($id: ID!) {
    addItemToOrder(productVariantId: $id, quantity: 2) { ... on ErrorResult { errorCode message } }
  }`,
  { id: products.items[0].variants[0].id },
)
await call(`mutation {
  setCustomerForOrder(input: { firstName: "Ada", lastName: "Byron", emailAddress: "ada@example.com" }) {
    ... on ErrorResult { errorCode message }
  }
}`)
await call(`mutation {
  setOrderShippingAddress(input: { streetLine1: "Kade 1", city: "Delft", countryCode: "NL" }) {
    ... on ErrorResult { errorCode message }
  }
}`)
const { eligibleShippingMethods } = await call('{ eligibleShippingMethods { id } }')
await call(
  `mutation ($id: ID!) {
    setOrderShippingMethod(shippingMethodId: [$id]) { ... on ErrorResult { errorCode message } }
  }`,
  { id: eligibleShippingMethods[0].id },
)
const { transitionOrderToState: order } = await call(`mutation {
  transitionOrderToState(state: "ArrangingPayment") {
    ... on Order { code totalWithTax currencyCode }
    ... on ErrorResult { errorCode message }
  }
}`)

const { createFlorinPayment } = await call(
  'mutation { createFlorinPayment { paymentId checkoutUrl } }',
)
console.log(`Order ${order.code}: ${order.totalWithTax / 100} ${order.currencyCode}`)
console.log(`Pay here: ${createFlorinPayment.checkoutUrl}`)

// The session's order stays active until it is paid. Then everyone with the code can read it, for two hours.
for (;;) {
  const { activeOrder } = await call('{ activeOrder { code } }')
  if (activeOrder?.code !== order.code) break
  await sleep(1_000)
}
const { orderByCode } = await call(
  'query ($code: String!) { orderByCode(code: $code) { state } }',
  { code: order.code },
)
console.log(`Order ${order.code} is ${orderByCode.state}`)
