import { Florin } from '@florin/sdk'
import { LanguageCode, type PaymentMethod } from '@vendure/core'

const inEnglish = (value: string) => [{ languageCode: LanguageCode.en, value }]
const hiddenInput = { component: 'password-form-input' } as const

/** The settings of a payment method, as the admin UI shows them. */
export const settingsForm = {
  baseUrl: {
    type: 'string',
    label: inEnglish('Address of Florin'),
    description: inEnglish('Its public address, because customers open the checkout page there'),
  },
  apiKey: { type: 'string', label: inEnglish('API key') },
  apiSecret: { type: 'string', label: inEnglish('API secret'), ui: hiddenInput },
  webhookSecret: { type: 'string', label: inEnglish('Webhook secret (whsec_…)'), ui: hiddenInput },
  returnUrl: {
    type: 'string',
    label: inEnglish('Return URL'),
    description: inEnglish(
      'The page of your storefront that the checkout page links back to. It gets the code of the order as ?order=',
    ),
  },
} as const

type FlorinSettings = Readonly<Record<keyof typeof settingsForm, string>>

export const HANDLER_CODE = 'florin'
export const LOG_CONTEXT = 'FlorinPlugin'

/** Vendure keeps a transaction open while it calls a handler, so this is shorter than the default of the SDK. */
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
