import { type Html, html } from '../html.ts'
import { type ApiDocument, callsOf } from './document.ts'
import { errorsTable } from './errors.ts'
import { codeView, type Examples, sourcesView } from './examples.ts'
import { fieldsTable, parameterRows, schemaRows } from './fields.ts'
import { paragraph, table } from './prose.ts'

export type Topic = {
  readonly id: string
  readonly title: string
  readonly text: Html
  /** Code, which wide screens show beside the text. */
  readonly beside: Html | null
}
type Context = {
  readonly document: ApiDocument
  readonly examples: Examples
  readonly publicUrl: string
}

const topic = (id: string, title: string, ...text: Html[]): Topic => ({
  id,
  title,
  text: html`${text}`,
  beside: null,
})

/** Rules for all endpoints, which no schema contains. */
export const introduction = ({ document, examples, publicUrl }: Context): Topic[] => [
  {
    ...topic(
      'start',
      'Base URL and examples',
      paragraph(
        `The base URL of this instance is \`${publicUrl}\`. Request bodies are JSON in UTF-8, sent as \`content-type: application/json\` without compression, at most 256 KiB and 64 levels deep. Unknown fields are ignored; null means absent, unless the description of a field says otherwise. A duplicate key in an object is an error, and so is the key \`__proto__\`; other keys are plain data. Numbers inside \`payload\` keep every digit.`,
      ),
      paragraph(
        'The examples and their responses are recorded from real requests; ids, secrets and times are replaced. They read their settings from the environment.',
      ),
      paragraph(
        'TypeScript uses `@florin/sdk`, which creates idempotency keys, retries requests that are safe to retry, and keeps amounts exact. The clients for Python and PHP in `clients/` do the same; the examples in these languages show the plain requests and need no packages.',
      ),
    ),
    beside: codeView([
      `export FLORIN_URL=${publicUrl}`,
      'export FLORIN_API_KEY=…       # live or sandbox',
      'export FLORIN_API_SECRET=…',
    ]),
  },
  topic(
    'modes',
    'Live and sandbox',
    paragraph(
      'Both modes have the same URL; the API key selects the mode. Payments, wallets, balances, limits, events and idempotency keys of the two modes are separate. In the sandbox, you simulate the payer with an API call: see Sandbox.',
    ),
  ),
  topic(
    'credentials',
    'Credentials',
    paragraph(
      'Send the headers `api-key` and `api-secret` with each merchant request. The operator or an owner of the store creates the key and its secret. Keep the secret on your server. A key has scopes:',
    ),
    table(
      'Scopes of a key',
      ['Scope', 'Allows'],
      [
        ['`read`', 'read data'],
        [
          '`create`',
          'create and expire payments, create and change links, resend webhooks, simulate the payer in the sandbox',
        ],
        ['`refund`', 'refund payments'],
      ],
    ),
    paragraph(
      'A 401 names the required headers in `www-authenticate`. Requests are checked in this order: credentials (401, 429), suspended store or missing scope (403), unknown path (404), wrong method (405 with `Allow`), content type and encoding (415), size (413), content (400). A payment of another store or mode is treated as unknown.',
    ),
  ),
  topic(
    'life',
    'Payment status',
    table(
      'All changes of status',
      ['From', 'Event', 'To'],
      [
        ['', 'created', '`pending`'],
        ['`pending`', 'the payer pays', '`completed`'],
        ['`pending`', "the payer's balance is too low, or an error occurs", '`failed`'],
        ['`pending`', 'it is overdue, or you expire it', '`expired`'],
        ['`completed`', 'refunded in full', '`refunded`'],
      ],
    ),
    paragraph(
      'A payment expires 15 minutes after its creation, unless the store or `expires_in` sets another time. Partial refunds are not supported. Before a refund, check that the status is `completed` and that the balance, which `GET /merchant/balance` returns, covers the refund amount.',
    ),
    paragraph(
      'In production, prefer webhooks over polling. If you poll, request the status every 3 to 5 seconds, and stop when it is no longer `pending`.',
    ),
  ),
  topic(
    'amounts',
    'Amounts',
    paragraph(
      'In requests, amounts of payments and donations and prices of products are JSON numbers; all other amounts are decimal strings. They have at most 12 integer digits, and at most as many decimals as the currency. Amounts with more digits are refused, never rounded. In responses, amounts are decimal strings with two decimals, or three if the currency has three. Currencies without decimals are shown as `500.00`, and accept no fraction.',
    ),
    paragraph(
      "A currency other than the store's is converted at the operator's rate and rounded once, half up. The result is the gross, which the payer pays. Gross minus the transaction fee is the net, which the store receives; it is `amount` in the payment details. Rate and fee are fixed when the payment is created.",
    ),
  ),
  topic(
    'times',
    'Times',
    paragraph(
      'Times are UTC, `YYYY-MM-DD HH:MM:SS`. Requests also accept ISO 8601. The start of a period is inclusive, its end exclusive.',
    ),
  ),
  topic(
    'idempotency',
    'Idempotency',
    paragraph(
      'If an endpoint takes an `Idempotency-Key`, requests with the same key and content run once. For 24 hours, repeating the request returns the first response byte for byte, with `Idempotent-Replayed: true`. A different path or body with the same key is refused with 422. If the first request is still running, the second one waits for it; if that takes too long, it is refused with 409 and `Retry-After`. Only successful responses are stored: after an error you can use the key again. Keys belong to a store and mode; keys of wallet payments belong to the wallet.',
    ),
  ),
  topic(
    'limits',
    'Limits',
    paragraph(
      "A store can have a minimum and maximum amount, and a daily and a monthly limit of gross. A payment counts on the day of its creation in the store's time zone. Failed and expired payments no longer count. `GET /merchant/quote` returns the remaining limits.",
    ),
    paragraph(
      'Too many requests are refused with 429 and `Retry-After`. So are more than 60 wrong secrets per minute for one key and IP address.',
    ),
  ),
  topic(
    'paging',
    'Paging',
    paragraph(
      'Lists return `next_cursor`. To get the next page, send it as `cursor` with the same filters. It is null on the last page. `limit` is 1 to 100, by default 20.',
    ),
  ),
  webhooks(document, examples),
  topic(
    'versions',
    'Versions and deprecations',
    paragraph(
      'Paths have no version. Compatible additions (endpoints, optional fields, fields in responses, event types) can appear at any time, so ignore unknown fields. Removals and incompatible changes are announced in the changelog at least six months ahead. Until then, responses of the endpoint have the headers `Deprecation` and `Sunset`.',
    ),
  ),
  topic(
    'errors',
    'Errors',
    paragraph(
      'An error is `{"status": …, "message": …}`. A validation error also has `errors`, a list with the `field` and `message` of each problem. Only the status endpoint returns `status_code` instead of `status` for an unknown payment. 429 and 503 have `Retry-After`. Responses have `x-request-id`; include it when you ask for help. Responses to invalid HTTP, to requests that arrive too slowly and to CONNECT have none.',
    ),
    errorsTable(),
  ),
]

function webhooks(document: ApiDocument, { webhook }: Examples): Topic {
  const calls = callsOf(document.webhooks)
  return {
    ...topic(
      'webhooks',
      'Webhooks',
      paragraph(
        'If a payment has a `webhook_url`, its events are posted to that URL. The format is Standard Webhooks 1.0.0.',
      ),
      table(
        'Events',
        ['Type', 'Meaning'],
        calls.map(({ path, summary }) => [`\`${path}\``, `${summary}.`]),
      ),
      paragraph(
        'Verify the signature with the raw body and the `webhook_secret` (`whsec_…`) that you received with the API key. Delivery is at least once, so ignore a `webhook-id` that you have already processed. Respond with a 2xx within 15 seconds, and do slow work afterwards.',
      ),
      paragraph(
        'Any other response is retried after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each varied by up to 10%. `Retry-After` extends the delay, up to a day. 410 stops the retries. Redirects are not followed.',
      ),
      fieldsTable('Headers', parameterRows(calls[0]!.parameters!))!,
      fieldsTable('Body', schemaRows(document.components.schemas.WebhookBody!))!,
    ),
    beside: html`${codeView(webhook.request)}${sourcesView('webhook', webhook.sources)}`,
  }
}
