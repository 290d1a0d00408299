import { amountText, CURRENCY, linesOf, PRODUCTS, totalOf } from './products.mjs'

const STATES = {
  new: 'We could not create your payment. Try again.',
  pending: 'Waiting for your payment.',
  completed: 'Paid. Thank you, your tea is on its way.',
  failed: 'Your payment failed. Try again.',
  expired: 'The time to pay has passed. Try again.',
  refunded: 'Your payment was refunded.',
}

export const productsPage = () =>
  page('Tea shop', {
    body: html`<form method="post" action="/orders">${PRODUCTS.map(
      ({ id, name, price }) =>
        html`<label>${name}, ${money(price)}
          <input name="${id}" type="number" min="0" max="20" value="0" /></label>`,
    )}<button>Order</button></form>`,
  })

export const stateOf = (order) => order.payment?.status ?? 'new'

export function orderPage(order, checkoutUrl) {
  const state = stateOf(order)
  const canTryAgain = ['new', 'failed', 'expired'].includes(state)
  return page('Your order', {
    isWaiting: state === 'pending',
    body: html`<ul>${linesOf(order).map(
      ({ name, quantity, price }) =>
        html`<li>${quantity} × ${name}, ${money(price * BigInt(quantity))}</li>`,
    )}</ul>
      <p class="total">${money(totalOf(order))}</p>
      <p role="status" id="${state}">${STATES[state]}</p>
      ${
        state === 'pending'
          ? html`<img src="/orders/${order.id}/qr.svg" alt="QR code to scan with your wallet" width="240" height="240" />
      <p><a href="${checkoutUrl}" target="_blank" rel="noopener">Open the payment page</a></p>`
          : ''
      }
      ${canTryAgain ? html`<form method="post" action="/orders/${order.id}/pay"><button>Pay</button></form>` : ''}`,
  })
}

/** The shopkeeper's page. */
export const ordersPage = (orders, notice) =>
  page('Orders', {
    body: html`${notice ? html`<p role="alert">${notice}</p>` : ''}
      <table><tr><th>Order</th><th>Total</th><th>State</th><th>History</th><th>Refund</th></tr>
      ${orders.map(
        (order) =>
          html`<tr><td>${order.id}</td><td>${money(totalOf(order))}</td>
          <td>${stateOf(order)}</td>
          <td>${order.history.map(({ status }) => status).join(', ')}</td>
          <td>${
            order.payment?.status === 'completed'
              ? html`<form method="post" action="/orders/${order.id}/refund"><button>Refund</button></form>`
              : ''
          }</td></tr>`,
      )}</table>`,
  })

export const messagePage = (text) => page(text, { body: '' })

const money = (minor) => `${amountText(minor)} ${CURRENCY}`

function page(title, { body, isWaiting = false }) {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width" /><title>${title}</title>
<link rel="icon" href="data:," /><link rel="stylesheet" href="/shop.css" />
${isWaiting ? html`<script type="module" src="/waiting.js"></script>` : ''}
</head><body><main><h1>${title}</h1>${body}</main></body></html>`.text
}

/** Escapes all values except nested templates. */
function html(parts, ...values) {
  const render = (value) =>
    Array.isArray(value) ? value.map(render).join('') : (value.text ?? escapeHtml(String(value)))
  return {
    text: parts
      .map((part, index) => part + (index in values ? render(values[index]) : ''))
      .join(''),
  }
}

const escapeHtml = (text) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
