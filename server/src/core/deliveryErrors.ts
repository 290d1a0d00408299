/** Why a webhook was not delivered, as stored and returned by the API. `{value}` is a detail. */
const TEXTS = {
  status: 'status {value}',
  timeout: 'no complete response within {value} seconds',
  resolve: 'the host name could not be resolved',
  refused: 'the connection was refused',
  unreachable: 'the host could not be reached',
  closed: 'the connection was closed before the response was complete',
  length: 'the response does not match its Content-Length',
  headers: 'the response headers are too large',
  size: 'the response is too large',
  http: 'the response is not HTTP',
  tls: 'the TLS connection failed',
  certificate: 'the certificate is not trusted: {value}',
  https: 'only https URLs are allowed',
  port: 'port {value} is not allowed',
  public: 'the host must have a public address',
} as const

export type DeliveryError = keyof typeof TEXTS

export const deliveryErrorText = (error: DeliveryError, value: string | number = ''): string =>
  TEXTS[error].replace('{value}', () => String(value))

/** Reads a text of `deliveryErrorText`, so that pages can translate it. Null for any other text. */
export function parseDeliveryError(text: string): { error: DeliveryError; value: string } | null {
  for (const [error, known] of Object.entries(TEXTS) as [DeliveryError, string][]) {
    const [start = '', end] = known.split('{value}')
    if (end === undefined) {
      if (text === start) return { error, value: '' }
    } else if (text.startsWith(start) && text.endsWith(end)) {
      return { error, value: text.slice(start.length, text.length - end.length) }
    }
  }
  return null
}
