import { PATTERN_MESSAGES } from '@florin/contract/fields.js'
import type { FastifyRequest } from 'fastify'
import { decimalOf, type InexactNumber, isInexactNumber } from '../../../core/json.ts'
import { MAX_INTEGER_DIGITS } from '../../../core/money.ts'
import { TOO_MANY_DECIMALS, TOO_MANY_DIGITS } from '../../../core/newPayment.ts'

export type FieldProblem = { readonly field: string; readonly message: string }

/** A problem whose message begins with the name of the field. */
export const problemOf = (field: string, text: string): FieldProblem => ({
  field,
  message: `${field} ${text}`,
})

/** For an address that matches the pattern of email addresses, but is not one that an email can be sent to. */
export const mailAddressProblem = (field: string): FieldProblem =>
  problemOf(field, 'must be one email address that mail servers accept')

type SchemaError = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Record<string, unknown>
  readonly data?: unknown
  readonly parentSchema?: { readonly [keyword: string]: unknown }
}

/** The problems that the schema of a route with `hasOwnChecks` found, one per field. */
export function schemaProblems({ validationError }: FastifyRequest): FieldProblem[] {
  return validationError === undefined ? [] : problemsOf(validationError)
}

export function problemsOf(error: {
  readonly validation?: readonly SchemaError[]
  readonly validationContext?: string
}): FieldProblem[] {
  const isQuery = error.validationContext === 'querystring'
  const describe = isQuery ? queryMessage : messageOf
  const all = error.validation ?? []
  // In a query, invalid parameters come before missing ones.
  const found = isQuery ? all.toSorted((a, b) => missingRank(a) - missingRank(b)) : all
  const problems = new Map<string, FieldProblem>()
  // Report nothing else about a list that is too long: the response would be longer than the list.
  const tooLong = found
    .filter(({ keyword }) => keyword === 'maxItems')
    .map(({ instancePath }) => `${instancePath}/`)
  for (const error of found) {
    if (tooLong.some((list) => error.instancePath.startsWith(list))) continue
    const field = fieldOf(error)
    if (!problems.has(field)) problems.set(field, { field, message: describe(error, field) })
  }
  return [...problems.values()]
}

function fieldOf({ keyword, instancePath, params }: SchemaError): string {
  const path = instancePath.split('/').slice(1)
  if (keyword === 'required') path.push(String(params.missingProperty))
  return path.length === 0 ? 'body' : path.join('.')
}

const missingRank = ({ keyword }: SchemaError) => (keyword === 'required' ? 1 : 0)

/** In a query, a whole number has one message, whatever is wrong with it. */
function queryMessage(error: SchemaError, field: string): string {
  const { type, minimum, maximum, unit } = error.parentSchema ?? {}
  if (type !== 'integer') return messageOf(error, field)
  const name = unit === undefined ? 'a whole number' : `a whole number of ${unit}`
  return `${field} must be ${name} from ${minimum} to ${maximum}`
}

function messageOf({ keyword, params, data }: SchemaError, field: string): string {
  const last = field.split('.').at(-1)!
  const name = /^\d+$/.test(last) ? field : last
  const message = (text: string) => `${name} ${text}`
  switch (keyword) {
    case 'required':
      return message('is required')
    case 'type': {
      const type = String(params.type).split(',')[0]!
      const isNumeric = type === 'number' || type === 'integer'
      if (isNumeric && isInexactNumber(data)) return message(inexactMessage(data, type))
      return message(`must be ${withArticle(type)}`)
    }
    case 'exclusiveMinimum':
      return message(`must be greater than ${params.limit}`)
    case 'minimum':
      return message(`must be at least ${params.limit}`)
    case 'maximum':
      return message(`must be at most ${params.limit}`)
    case 'minLength':
      return message(
        params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
      )
    case 'maxLength':
      return message(`must have at most ${params.limit} characters`)
    case 'minItems':
      return message(`must have at least ${params.limit} item`)
    case 'maxItems':
      return message(`must have at most ${params.limit} items`)
    case 'pattern':
      return message(PATTERN_MESSAGES.get(String(params.pattern)) ?? 'is not valid')
    case 'enum':
      return message(
        `must be one of ${(params.allowedValues as unknown[]).filter((v) => v !== null).join(', ')}`,
      )
    default:
      return message('is not valid')
  }
}

/** For a number that a double can't hold. Every field of type `number` is an amount. */
function inexactMessage({ literal }: InexactNumber, type: 'number' | 'integer'): string {
  const { digits, exponent } = decimalOf(literal)
  if (digits.length + exponent <= MAX_INTEGER_DIGITS) return TOO_MANY_DECIMALS
  return type === 'number' ? TOO_MANY_DIGITS : 'has too many digits'
}

const withArticle = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

/** All problems in the order in which the fields are documented. The first problem of a field counts. */
export function inFieldOrder(
  order: readonly string[],
  ...lists: readonly (readonly FieldProblem[])[]
): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  for (const list of lists) {
    for (const problem of list) {
      if (!problems.has(problem.field)) problems.set(problem.field, problem)
    }
  }
  if (problems.size === 0) return []
  const rank = (field: string) => {
    const [top = '', ...rest] = field.split('.')
    const index = /^\d+$/.test(rest[0] ?? '') ? Number(rest[0]) : 0
    const position = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
    const generic = [top, ...rest.filter((part) => !/^\d+$/.test(part))].join('.')
    return [position(top), index, position(generic)] as const
  }
  return [...problems.values()].sort((a, b) => {
    const [x, y] = [rank(a.field), rank(b.field)]
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2]
  })
}
