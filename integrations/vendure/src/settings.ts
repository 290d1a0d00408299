import { Florin } from '@florin/sdk'
import { LanguageCode, type PaymentMethod } from '@vendure/core'

const text = (value: string) => [{ languageCode: LanguageCode.en, value }]
const secret = { component: 'password-form-input' } as const

/** The settings of a payment method, as the admin UI shows them. */
export const settingsForm = {
  baseUrl: {
    type: 'string',
    label: text('Address of Florin'),
    description: text('Its public address, because customers open the checkout page there'),
  },
  apiKey: { type: 'string', label: text('API key') },
  apiSecret: { type: 'string', label: text('API secret'), ui: secret },
  webhookSecret: { type: 'string', label: text('Webhook secret (whsec_…)'), ui: secret },
  returnUrl: {
    type: 'string',
    label: text('Return URL'),
    description: text(
      'The page of your storefront that the checkout page links back to. It gets the code of the order as ?order=',
    ),
  },
} as const

export type FlorinSettings = Readonly<Record<keyof typeof settingsForm, string>>

export const HANDLER_CODE = 'florin'
export const LOG_CONTEXT = 'FlorinPlugin'

/** Vendure holds a transaction while it calls a handler, so don't wait as long as usual. */
const TIMEOUT_MS = 10_000

export function settingsOf(method: PaymentMethod): FlorinSettings {
  const values = new Map(method.handler.args.map(({ name, value }) => [name, value]))
  const setting = (name: keyof FlorinSettings) => values.get(name)?.trim() ?? ''
  return {
    baseUrl: setting('baseUrl'),
    apiKey: setting('apiKey'),
    apiSecret: setting('apiSecret'),
    webhookSecret: setting('webhookSecret'),
    returnUrl: setting('returnUrl'),
  }
}

export function connect(settings: FlorinSettings): Florin {
  const { baseUrl, apiKey, apiSecret } = settings
  return new Florin({ baseUrl, apiKey, apiSecret, timeoutMs: TIMEOUT_MS, maxRetries: 2 })
}

export function checkoutUrl(settings: FlorinSettings, paymentId: string): string {
  return `${settings.baseUrl.replace(/\/$/, '')}/pay/${paymentId}`
}
