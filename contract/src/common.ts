import Type, { type TSchema } from 'typebox'

export const described = <T extends TSchema>(schema: T, description: string): T => ({
  ...schema,
  description,
})

const AGAIN = { description: 'The HTTP status again.' }
const status = Type.Integer(AGAIN)
const message = Type.String({ description: 'What happened, in words.' })

const FieldProblems = Type.Array(
  Type.Object({
    field: Type.String({ description: 'Dotted path, such as `products.0.price`.' }),
    message: Type.String({ description: 'What is wrong with it.' }),
  }),
  { description: 'One for each field that is wrong; absent where no single field is to blame.' },
)

export const ErrorBody = Type.Object({ status, message })
const ValidationErrorBody = Type.Object({
  status: Type.Literal(400, AGAIN),
  message,
  errors: Type.Optional(FieldProblems),
})

/** The shape of every answer but a successful create, which carries no status. */
export const answer = (data: TSchema) =>
  Type.Object(
    {
      status: Type.Literal(200, AGAIN),
      message,
      data: { description: 'What was asked for.', ...data },
    },
    { description: 'Done' },
  )

/** What each status means, whatever the call. */
export const STATUS_WORDS: Record<number, string> = {
  400: 'The request is not valid, or cannot be done as things are',
  401: 'Credentials are missing or wrong',
  402: 'The balance does not cover the payment',
  403: 'Not allowed',
  404: 'Not found',
  405: 'The path does not take this method',
  409: 'The state of things does not allow it',
  410: 'The payment has expired',
  413: 'The body is larger than 256 KiB',
  415: 'The body is not application/json, or it is compressed',
  417: 'The Expect header is not 100-continue',
  422: 'The Idempotency-Key was used with another request',
  428: 'The password must be typed again first: POST /store/session/confirm',
  429: 'Too many requests; see Retry-After',
  500: 'Internal error; the x-request-id header names it',
  503: 'The service is busy or its database is away; see Retry-After',
}

/** Which errors a call can answer with, beside those that every call can. */
export function errors(...statuses: number[]): Record<number, TSchema> {
  const all = [...new Set([...statuses, 401, 403, 404, 405, 415, 429, 500, 503])].sort()
  return Object.fromEntries(
    all.map((status) => [
      status,
      { ...(status === 400 ? ValidationErrorBody : ErrorBody), description: STATUS_WORDS[status] },
    ]),
  )
}

/** Every call can answer it, before it is known which call it is. */
export const unreadable = described(ErrorBody, 'The request is not valid HTTP')

/** A success that is no JSON; its errors are. */
export const media = (description: string, ...types: string[]) => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
})

export const MERCHANT_SECURITY = [{ apiKey: [], apiSecret: [] }]
export const BEARER_SECURITY = [{ bearer: [] }]
export const WALLET_DOCS = { tags: ['Wallet'], security: [{ bearer: [] }, { wallet: [] }] }
export const PERSON_DOCS = { tags: ['Store'], security: [{ person: [] }] }
export const OPERATOR_DOCS = { tags: ['Operator'], security: [{ bearer: [] }, { operator: [] }] }

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 visible ASCII characters. The same request under the same key is done once and its answer replayed for 24 hours.',
    }),
  ),
})
