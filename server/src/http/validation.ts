import type { FastifyRequest } from 'fastify'
import { PATTERN_MESSAGES } from './schemas/fields.ts'

export type FieldProblem = { readonly field: string; readonly message: string }

type SchemaError = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Record<string, unknown>
}

/** More than any valid body has. The validator collects every error, so it must not get many items. */
const MAX_VALUES = 15_000

/** Counts what objects and lists hold, on all levels. */
export function hasTooManyValues(body: unknown): boolean {
  const open = [body]
  for (let at = 0; at < open.length; at++) {
    const value = open[at]
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) continue
    for (const child of Object.values(value)) {
      if (open.push(child) > MAX_VALUES) return true
    }
  }
  return false
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

function messageOf({ keyword, params }: SchemaError, field: string): string {
  const last = field.split('.').at(-1)!
  const name = /^\d+$/.test(last) ? field : last
  const says = (text: string) => `${name} ${text}`
  switch (keyword) {
    case 'required':
      return says('is required')
    case 'type':
      return says(`must be ${article(String(params.type).split(',')[0]!)}`)
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
