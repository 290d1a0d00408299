import { basePath } from '../kit/request.ts'

// The keys are shell variables, because the page doesn't have the secret.
const KEY_HEADERS = ['-H "api-key: $FLORIN_API_KEY"', '-H "api-secret: $FLORIN_API_SECRET"']

/** The command that reads a payment. */
export const curlCommand = (paymentId: string) =>
  [`curl -s ${location.origin}${basePath}/merchant/payment/${paymentId}`, ...KEY_HEADERS].join(
    ' \\\n  ',
  )
