// Charges from a terminal: node charge.mjs 12.50 "Table 4". Exits with 0 when the payment is paid.
import { Florin, FlorinError } from '@florin/sdk'
import encodeQR from 'qr'

const [amount = '', note = null] = process.argv.slice(2)
const { FLORIN_URL, FLORIN_API_KEY, FLORIN_API_SECRET } = process.env
const florin = new Florin({
  baseUrl: FLORIN_URL,
  apiKey: FLORIN_API_KEY,
  apiSecret: FLORIN_API_SECRET,
})
const controller = new AbortController()
process.once('SIGINT', () => controller.abort())

async function charge() {
  const { currency } = await florin.store()
  const params = { amount, currency, reference_note: note }
  const { payment_id, qr_code } = await florin.payments.create(params)
  console.log(encodeQR(qr_code, 'term'))
  console.log(`${amount} ${currency}: scan the code, or open ${FLORIN_URL}/pay/${payment_id}`)
  const settled = florin.payments.waitUntilSettled(payment_id, { signal: controller.signal })
  return settled.catch(async () => {
    // After Ctrl-C or an error, expire the payment, unless it was just paid.
    await florin.payments.expire(payment_id).catch(() => {})
    return florin.payments.status(payment_id)
  })
}

try {
  const { status } = await charge()
  console.log(status === 'completed' ? 'Paid.' : `Not paid: ${status}.`)
  process.exitCode = status === 'completed' ? 0 : 1
} catch (error) {
  if (!(error instanceof FlorinError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
