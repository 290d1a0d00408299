import { basePath } from '../kit/request.ts'

// The keys are shell variables, because a page never knows a secret.
const KEYS = ['-H "api-key: $FLORIN_API_KEY"', '-H "api-secret: $FLORIN_API_SECRET"']

const curl = (path: string, ...more: string[]) =>
  [`curl -s ${location.origin}${basePath}${path}`, ...KEYS, ...more].join(' \\\n  ')

export const curlToRead = (paymentId: string) => curl(`/merchant/payment/${paymentId}`)

export const curlToCreate = (currency: string) =>
  curl(
    '/merchant/payment/create',
    `-H 'content-type: application/json'`,
    `-d '${JSON.stringify({ amount: 10, currency })}'`,
  )
