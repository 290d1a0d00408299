import Type, { type Static, type TSchema } from 'typebox'
import { described } from './fields.ts'
import { STATUS_DESCRIPTIONS } from './refusals.ts'

const STATUS = { description: 'The HTTP status.' }
const message = Type.String({ description: 'A message for people.' })

export const ErrorBody = Type.Object(
  { status: Type.Integer(STATUS), message },
  { title: 'ErrorBody' },
)
export type ErrorBody = Static<typeof ErrorBody>

const ValidationError = Type.Object(
  {
    status: Type.Literal(400, STATUS),
    message,
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'Dotted path, such as `products.0.price`.' }),
          message: Type.String({ description: 'The problem with the field.' }),
        }),
        { description: 'One error per invalid field. Absent if no single field is invalid.' },
      ),
    ),
  },
  { title: 'ValidationError' },
)

/** The body of a successful response with data. `CreatedPayment` is the only one without `status`. */
export const successBody = (data: TSchema, status = 200, description = 'Success') =>
  Type.Object(
    {
      status: Type.Literal(status, STATUS),
      message,
      data: { description: 'The result.', ...data },
    },
    { description },
  )

const COMMON_STATUSES = [401, 403, 404, 405, 415, 429, 500, 503]

/** Error responses with these statuses, and those that every endpoint can send. */
export function errors(...statuses: number[]): Record<number, TSchema> {
  const all = [...new Set([...statuses, ...COMMON_STATUSES])].sort()
  return Object.fromEntries(
    all.map((status) => [
      status,
      {
        ...(status === 400 ? ValidationError : ErrorBody),
        description: STATUS_DESCRIPTIONS[status],
      },
    ]),
  )
}

/** A response that is not JSON, such as an image. */
export const media = (description: string, ...types: string[]) => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
})

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 visible ASCII characters. A request with the same key and content runs once. For 24 hours, repeating it returns the first response. Keys of fundings, payouts, top-ups and withdrawals never expire, and repeating one returns the current balance.',
    }),
  ),
})

/** The response to a request that is not valid HTTP, before its path is known. */
export const malformedRequest = described(ErrorBody, 'The request is not valid HTTP')
