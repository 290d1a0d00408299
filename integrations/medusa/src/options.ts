import { MedusaError } from '@medusajs/framework/utils'

export type FlorinOptions = {
  /** Public address of Florin: customers open the checkout page there. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiSecret: string
  /** `whsec_…`, which came with the API key. */
  readonly webhookSecret: string
  /** Address of Medusa's webhook route: `{backend}/hooks/payment/florin_{id of this provider}`. */
  readonly webhookUrl: string
  /** The page of your storefront that the checkout page links back to. */
  readonly returnUrl: string
}

const TEXTS = ['apiKey', 'apiSecret', 'webhookSecret'] as const
const URLS = ['baseUrl', 'webhookUrl', 'returnUrl'] as const

/** Throws if an option is missing or malformed. Never prints values, because they may be secrets. */
export function checkOptions(options: Record<string, unknown>): void {
  for (const name of TEXTS) {
    if (typeof options[name] !== 'string' || options[name] === '') {
      throw invalid(`Florin: the option ${name} is missing`)
    }
  }
  for (const name of URLS) {
    if (!isHttpUrl(options[name]))
      throw invalid(`Florin: the option ${name} must be a URL with http or https`)
  }
}

/** The page to come back to. A storefront can choose another page of the same site, for example in another language. */
export function returnUrlOf(options: FlorinOptions, requested: unknown): string {
  if (requested === undefined || requested === null) return options.returnUrl
  const { origin } = new URL(options.returnUrl)
  if (isHttpUrl(requested) && new URL(requested).origin === origin) return requested
  throw invalid(`return_url must be a page of ${origin}`)
}

function isHttpUrl(value: unknown): value is string {
  return (
    typeof value === 'string' && URL.canParse(value) && /^https?:/.test(new URL(value).protocol)
  )
}

const invalid = (message: string) => new MedusaError(MedusaError.Types.INVALID_DATA, message)
