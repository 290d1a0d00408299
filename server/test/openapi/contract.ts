import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { dereference } from '../../src/pages/reference/document.ts'
import type { TestService } from '../setup/testService.ts'

export type Schema = { readonly [key: string]: unknown }
export type Parameter = { in: string; name: string; required?: boolean; schema: Schema }
export type Operation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly operationId: string
  readonly summary?: string
  readonly tags?: string[]
  readonly security?: Record<string, unknown>[]
  readonly parameters: Parameter[]
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  readonly responses: Record<
    string,
    {
      description: string
      headers?: Record<string, unknown>
      content?: Record<string, { schema: Schema }>
    }
  >
}
export type Document = {
  openapi: string
  info: Record<string, unknown>
  tags: { name: string }[]
  servers: { url: string }[]
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components: { securitySchemes: Record<string, unknown>; schemas?: Record<string, unknown> }
}

/** The document as it is served, with references. */
export async function readServed(t: TestService): Promise<Document> {
  return (await t.call('GET', '/openapi.json')).body
}

/** The document without references. */
export async function readDocument(t: TestService): Promise<Document> {
  return dereference(await readServed(t))
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      parameters: operation.parameters ?? [],
      method: method.toUpperCase() as Operation['method'],
      path,
    })),
  )
}

/** The URL of an operation, with these path parameters and this query. */
export function urlOf(
  { path }: Operation,
  values: { path?: Record<string, unknown>; query?: string },
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.path![name])),
  )
  return values.query === undefined ? filled : `${filled}?${values.query}`
}

/** Every object and list in a value, including the value itself, depth first. */
export function* parts(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  yield value as Record<string, unknown>
  for (const child of Object.values(value)) yield* parts(child)
}

/** A copy of the document in which unknown properties are errors, except in objects without named properties. */
export function withoutAdditionalProperties(document: Document): Document {
  const copy = structuredClone(document)
  for (const part of parts(copy.paths)) {
    const isObject = [part.type].flat().includes('object')
    const names = Object.keys((part.properties as object | undefined) ?? {})
    if (isObject && names.length > 0) part.additionalProperties ??= false
  }
  return copy
}

/** Returns a function that checks a response against the document. It returns the problem, or null. */
export function createResponseCheck(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  const pointerPart = (part: string) =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

  return (
    operation: Operation,
    response: { status: number; contentType: string; text: string },
  ): string | null => {
    const { status } = response
    const documented = operation.responses[status]
    if (documented === undefined) return `${status} is not documented`
    const type = response.contentType.split(';')[0]!
    if (!documented.content?.[type]) return `${status} with ${type} is not documented`
    if (type !== 'application/json') return response.text === '' ? 'the body is empty' : null
    const pointer = ['paths', operation.path, operation.method.toLowerCase(), 'responses', status]
    const $ref = `document#/${[...pointer, 'content', type, 'schema'].map(String).map(pointerPart).join('/')}`
    const validate = validators.get($ref) ?? ajv.compile({ $ref })
    validators.set($ref, validate)
    if (validate(JSON.parse(response.text))) return null
    return `${status}: ${ajv.errorsText(validate.errors)} in ${response.text.slice(0, 500)}`
  }
}
