export type FlorinPluginOptions = {
  /** Address of your Vendure server, such as https://shop.example.com. Florin posts its webhooks there. */
  readonly serverUrl: string
}

/** Token of the options for Nest's dependency injection. */
export const FLORIN_OPTIONS = Symbol('FlorinPluginOptions')

export const WEBHOOK_PATH = 'payments/florin'
