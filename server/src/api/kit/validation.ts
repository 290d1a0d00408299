import { PATTERN_MESSAGES } from '@florin/contract/fields.js'
import type { FastifyRequest } from 'fastify'
import { decimalOf, type InexactNumber, isInexactNumber } from '../../core/json.ts'
import { MAX_INTEGER_DIGITS } from '../../core/money.ts'
import { TOO_MANY_DIGITS } from '../../core/newPayment.ts'

export type FieldProblem = { readonly field: string; readonly message: string }

type SchemaError = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Record<string, unknown>
  readonly data?: unknown
}

/** What the schema found, in people's words, one problem a field. */
export function schemaProblems(request: FastifyRequest): FieldProblem[] {
  return problemsOf(request.validationError?.validation ?? [])
}

export function problemsOf(found: readonly SchemaError[]): FieldProblem[] {
  if (found.length === 0) return []
  const problems = new Map<string, FieldProblem>()
  // Of a list that is too long nothing else is told, or the answer would be longer than the list.
  const tooLong = found
    .filter(({ keyword }) => keyword === 'maxItems')
    .map(({ instancePath }) => `${instancePath}/`)
  for (const error of found) {
    if (tooLong.some((list) => error.instancePath.startsWith(list))) continue
    const field = fieldOf(error)
    if (!problems.has(field)) problems.set(field, { field, message: messageOf(error, field) })
  }
  return [...problems.values()]
}

function fieldOf({ keyword, instancePath, params }: SchemaError): string {
  const path = instancePath.split('/').slice(1)
  if (keyword === 'required') path.push(String(params.missingProperty))
  return path.length === 0 ? 'body' : path.join('.')
}

function messageOf({ keyword, params, data }: SchemaError, field: string): string {
  const last = field.split('.').at(-1)!
  const name = /^\d+$/.test(last) ? field : last
  const says = (text: string) => `${name} ${text}`
  switch (keyword) {
    case 'required':
      return says('is required')
    case 'type': {
      const type = String(params.type).split(',')[0]!
      const isNumeric = type === 'number' || type === 'integer'
      if (isNumeric && isInexactNumber(data)) return says(inexactMessage(data, type))
      return says(`must be ${article(type)}`)
    }
    case 'exclusiveMinimum':
      return says(`must be greater than ${params.limit}`)
    case 'minimum':
      return says(`must be at least ${params.limit}`)
    case 'maximum':
      return says(`must be at most ${params.limit}`)
    case 'minLength':
      return says(
        params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
      )
    case 'maxLength':
      return says(`must have at most ${params.limit} characters`)
    case 'minItems':
      return says(`must have at least ${params.limit} item`)
    case 'maxItems':
      return says(`must have at most ${params.limit} items`)
    case 'pattern':
      return says(PATTERN_MESSAGES.get(String(params.pattern)) ?? 'is not valid')
    case 'enum':
      return says(
        `must be one of ${(params.allowedValues as unknown[]).filter((v) => v !== null).join(', ')}`,
      )
    default:
      return says('is not valid')
  }
}

/** It is a number, but one that a double cannot hold. Every field of type `number` is an amount. */
function inexactMessage({ literal }: InexactNumber, type: 'number' | 'integer'): string {
  const { digits, exponent } = decimalOf(literal)
  if (digits.length + exponent <= MAX_INTEGER_DIGITS) return 'has too many decimals'
  return type === 'number' ? TOO_MANY_DIGITS : 'has too many digits'
}

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

/**
 * All problems in the order in which the fields are documented; where the schema has already found
 * something wrong with a field, that is enough about it.
 */
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

/** A whole number in a query string, or null where it is none or out of range. */
export function queryInteger(
  value: string | undefined,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number | null {
  if (value === undefined) return otherwise
  if (!/^\d{1,9}$/.test(value)) return null
  const number = Number(value)
  return number >= min && number <= max ? number : null
}
