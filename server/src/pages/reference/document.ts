/** The parts of the OpenAPI document that the page shows. References are resolved: see `dereference`. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly [limit: string]: unknown
}

type Media = Record<string, { readonly schema: Schema }>

export type Parameter = {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export type Call = {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Record<string, readonly string[]>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Media }
  readonly responses: Record<string, ApiResponse>
}

export type ApiResponse = {
  readonly description: string
  readonly headers?: Record<string, { readonly description?: string; readonly schema: Schema }>
  readonly content?: Media
}

type SecurityScheme = { readonly type: string; readonly in?: string; readonly name?: string }

type Operations = Record<string, Record<string, Omit<Call, 'method' | 'path'>>>

export type ApiDocument = {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Operations
  readonly webhooks: Operations
  readonly components: {
    readonly schemas: Record<string, Schema>
    readonly securitySchemes: Record<string, SecurityScheme>
  }
}

export type Chapter = {
  readonly name: string
  readonly description: string
  readonly calls: readonly Call[]
}

/** All endpoints, by tag and then in the order of the routes. */
export function chaptersOf({ tags, paths }: ApiDocument): Chapter[] {
  const calls = callsOf(paths)
  return tags.map(({ name, description }) => ({
    name,
    description,
    calls: calls.filter((call) => call.tags.includes(name)),
  }))
}

export const callsOf = (operations: Operations): Call[] =>
  Object.entries(operations).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )

/**
 * A copy of an OpenAPI document with its references resolved. `anyOf` with null, which only references need,
 * becomes a list of types.
 */
export function dereference<Document extends object>(document: Document): Document {
  const targets = new Map<string, object>()
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(resolve)
    const { $ref, anyOf, ...own } = value as Reference
    const fields = Object.fromEntries(
      Object.entries(own).map(([key, child]) => [key, resolve(child)]),
    )
    if (typeof $ref === 'string') {
      // Resolve each target once, because most are referenced many times.
      const target = targets.get($ref) ?? (resolve(targetOf(document, $ref)) as object)
      targets.set($ref, target)
      return { ...target, ...fields }
    }
    if (anyOf === undefined) return fields
    return { ...(resolve(anyOf[0]) as object), type: ['object', 'null'], ...fields }
  }
  return resolve(document) as Document
}

type Reference = { readonly $ref?: unknown; readonly anyOf?: readonly unknown[] }

const targetOf = (document: object, $ref: string): unknown =>
  $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document)
