import { REFUSALS, STATUS_DESCRIPTIONS } from '@florin/contract/refusals.js'
import { type Html, html } from '../html.ts'
import { type ApiDocument, callsOf } from './document.ts'
import { codeView, type Examples, sourcesView } from './examples.ts'
import { fieldsTable, parameterRows, schemaRows } from './fields.ts'
import { paragraph, table } from './prose.ts'

export type Topic = { readonly id: string; readonly title: string; readonly body: Html }
type Known = {
  readonly document: ApiDocument
  readonly examples: Examples
  readonly publicUrl: string
}

const topic = (id: string, title: string, ...body: Html[]): Topic => ({
  id,
  title,
  body: html`${body}`,
})

/** What holds for all calls, and no schema can say. */
export const introduction = ({ document, examples, publicUrl }: Known): Topic[] => [
  topic(
    'start',
    'Base address and examples',
    paragraph(
      `This instance is at \`${publicUrl}\`; the paths below come after it. Bodies are JSON in UTF-8, sent as \`content-type: application/json\` without compression, at most 256 KiB and 64 levels deep. Unknown fields are ignored; null means absent. A duplicate key in an object is an error, and so is the key \`__proto__\`; other keys are plain data. Numbers inside \`payload\` keep every digit.`,
    ),
    paragraph(
      'The examples were really run, and their answers are what came back; ids, secrets and times are made up. They find what they need in the environment:',
    ),
    codeView([
      `export FLORIN_URL=${publicUrl}`,
      'export FLORIN_API_KEY=…       # of a store, live or sandbox',
      'export FLORIN_API_SECRET=…',
    ]),
    paragraph(
      'TypeScript uses `@florin/sdk`, which makes idempotency keys, repeats what is safe to repeat and keeps amounts exact. Python and PHP need nothing beside what they bring along.',
    ),
  ),
  topic(
    'modes',
    'Live and sandbox',
    paragraph(
      'One address serves both; the API key decides. Payments, wallets, balances, limits, events and idempotency keys of the two never meet. In the sandbox an API call plays the payer: see Sandbox.',
    ),
  ),
  topic(
    'credentials',
    'Credentials',
    paragraph(
      'Each merchant call carries the headers `api-key` and `api-secret`, which the operator gives out. Keep the secret on your server. A key has scopes:',
    ),
    table(
      'Scopes of a key',
      ['Scope', 'What it may do'],
      [
        ['`read`', 'look'],
        [
          '`create`',
          'ask for money, give up asking, send webhooks again, play the payer in the sandbox',
        ],
        ['`refund`', 'send money back'],
      ],
    ),
    paragraph(
      'Refusals come in this order: credentials (401, 429), suspended store or missing scope (403), unknown path (404), wrong method (405 with `Allow`), content type and encoding (415), size (413), content (400). A payment of another store, or of the other mode, answers as one that does not exist.',
    ),
  ),
  topic(
    'life',
    'The life of a payment',
    table(
      'Every move that there is',
      ['From', 'What happens', 'To'],
      [
        ['', 'created', '`pending`'],
        ['`pending`', "the payer's balance covers it", '`completed`'],
        ['`pending`', 'it does not, or something else goes wrong', '`failed`'],
        ['`pending`', 'its time passes, or the merchant gives it up', '`expired`'],
        ['`completed`', 'refunded in full', '`refunded`'],
      ],
    ),
    paragraph(
      'A payment expires 15 minutes after it was created, unless the store or `expires_in` says otherwise. Partial refunds are not supported. Before a refund, check that the status is `completed` and that `GET /merchant/balance` covers it.',
    ),
    paragraph(
      'In production prefer webhooks over polling. Poll the status every 3 to 5 seconds, and stop when it is no longer `pending`.',
    ),
  ),
  topic(
    'amounts',
    'Amounts',
    paragraph(
      'Merchants send amounts as JSON numbers: at most 12 digits before the point and as many decimals as the currency has. More is an error, never rounded. Answers carry decimal strings with two places, with three for currencies that have three; currencies without decimals show `500.00` and take no fraction.',
    ),
    paragraph(
      "A currency other than the store's is converted at the operator's rate and rounded once, half up. The result is gross: what the payer pays. Gross less the transaction fee is net: what the store receives, and `amount` in the details. Rate and fee are frozen when the payment is created.",
    ),
  ),
  topic(
    'times',
    'Times',
    paragraph(
      'Times are UTC, `YYYY-MM-DD HH:MM:SS`. Where a call is asked by time, ISO 8601 is taken as well; a window begins with its first moment and ends before its last.',
    ),
  ),
  topic(
    'idempotency',
    'Doing things once',
    paragraph(
      'Where a call takes an `Idempotency-Key`, the same request under the same key is done once: its answer is replayed byte for byte for 24 hours, with `Idempotent-Replayed: true`. Another path or other bytes under that key are a 422. A repeat while the first is still running waits for it. Only successes are kept: after a refusal the key is free. Keys belong to a store and mode, for paying to a wallet.',
    ),
  ),
  topic(
    'limits',
    'Limits',
    paragraph(
      "A store has a least and a largest amount, and a volume a day and a month, counted as gross by the day of creation in the store's time zone. Failed and expired payments give their share back. `GET /merchant/quote` tells what is left.",
    ),
    paragraph(
      'Too many requests are a 429 with `Retry-After`; so are more than 60 wrong secrets a minute for one key and address.',
    ),
  ),
  topic(
    'paging',
    'Paging',
    paragraph(
      'Lists answer with `next_cursor`. Send it as `cursor`, with the same filters, for the next page; null is the last. `limit` is 1 to 100, 20 where absent.',
    ),
  ),
  topic('webhooks', 'Webhooks', ...webhooks(document, examples)),
  topic(
    'versions',
    'Versions and deprecations',
    paragraph(
      'Paths carry no version. Additions (calls, optional fields, keys in answers, event types) are compatible and come at any time, so ignore keys that you do not know. Removals and changes of meaning are announced in the changelog at least six months ahead; until then the call answers with the headers `Deprecation` and `Sunset`.',
    ),
  ),
  topic(
    'errors',
    'Errors',
    paragraph(
      'An error is `{"status": …, "message": …}`. A validation error also has `errors`, with everything that is wrong, each with its `field` and `message`. Only the status of an unknown payment answers `status_code` instead of `status`. 429 and 503 carry `Retry-After`; every answer carries `x-request-id`, to quote when you ask for help.',
    ),
    table(
      'All errors',
      ['Status', 'Message', 'Meaning'],
      [...Object.values(REFUSALS)]
        .sort(([a], [b]) => a - b)
        .map(([status, message]) => [String(status), message, STATUS_DESCRIPTIONS[status]!]),
    ),
  ),
]

function webhooks(document: ApiDocument, { webhook }: Examples): Html[] {
  const calls = callsOf(document.webhooks)
  return [
    paragraph(
      'Give a payment a `webhook_url`, and what becomes of it is posted there, as Standard Webhooks 1.0.0 says:',
    ),
    table(
      'Events',
      ['Type', 'When'],
      calls.map(({ path, summary }) => [`\`${path}\``, `${summary}.`]),
    ),
    codeView(webhook.request),
    fieldsTable('Headers', parameterRows(calls[0]!.parameters!))!,
    fieldsTable('Body', schemaRows(document.components.schemas.WebhookBody!))!,
    paragraph(
      'Verify it with the raw body and the `webhook_secret` (`whsec_…`) that came with the API key. Look whether you have seen this `webhook-id`: webhooks come at least once. Answer with a 2xx within 15 seconds, and do slow work afterwards.',
    ),
    sourcesView('webhook', webhook.sources),
    paragraph(
      'Anything but a 2xx is tried again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each a tenth more or less. `Retry-After` makes the wait longer, up to a day. 410 ends it. Redirects are not followed.',
    ),
  ]
}
