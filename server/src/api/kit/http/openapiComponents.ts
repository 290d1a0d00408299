import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { STATUS_DESCRIPTIONS } from '@florin/contract/refusals.js'

type Json = { [key: string]: unknown }
type Operation = {
  parameters?: Json[]
  responses: Record<string, Json & { headers?: Json; description?: string }>
}
/** The parts of an OpenAPI document that are read and changed here. */
export type SharingDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Json; headers?: Json; responses?: Json; parameters?: Json }
}

const HEADERS = {
  RequestId: {
    description: 'Identifies the request in the logs of the service.',
    schema: { type: 'string', examples: ['5f0c7a0e-6f0b-4c0e-9d3e-2b1f6a7c8d90'] },
  },
  RetryAfter: {
    description: 'Seconds to wait before you retry.',
    schema: { type: 'integer', examples: [1] },
  },
  KeyRetryAfter: {
    description:
      'Seconds to wait before you retry. Only if the first request with the same Idempotency-Key is still running.',
    schema: { type: 'integer', examples: [1] },
  },
  IdempotentReplayed: {
    description:
      '`true` if an earlier request with the same key was carried out, and this one only returns its outcome.',
    schema: { type: 'string', enum: ['true'] },
  },
}
const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })

/**
 * Moves schemas with a title, and responses and parameters that operations share, into `components`. References
 * replace them.
 */
export function shareComponents(document: SharingDocument): void {
  const { paths, components } = document
  const titled = collectTitled([paths, components.schemas])
  document.paths = withReferences(paths, titled) as SharingDocument['paths']
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  for (const operation of operations) addHeaders(operation)
  components.schemas = {
    ...(withReferences(components.schemas, titled) as Json),
    ...componentsOf(titled),
  }
  components.headers = HEADERS
  components.responses = shareResponses(operations)
  components.parameters = shareParameters(operations)
}

type TitledSchema = Json & { title: string; type: 'object' | ['object', 'null'] }

const hasTitle = (value: object): value is TitledSchema =>
  'title' in value && typeof value.title === 'string'

/** A schema with a title, without its description, and the descriptions of all its uses. */
type Component = { readonly schema: Json; readonly descriptions: Set<unknown> }
type Components = Map<string, Component>

function collectTitled(value: unknown, found: Components = new Map()): Components {
  if (typeof value !== 'object' || value === null) return found
  if (hasTitle(value)) {
    const { title, description, ...fields } = value
    const schema = { ...fields, type: 'object' }
    const component = found.get(title) ?? { schema, descriptions: new Set() }
    if (!isDeepStrictEqual(component.schema, schema)) {
      throw new Error(`Two different schemas have the title ${title}`)
    }
    found.set(title, component)
    component.descriptions.add(description)
  }
  for (const child of Object.values(value)) collectTitled(child, found)
  return found
}

/** A copy with references instead of schemas with a title. */
function withReferences(value: unknown, titled: Components): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withReferences(item, titled))
  if (hasTitle(value)) return referenceTo(value, titled)
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, withReferences(child, titled)]),
  )
}

function referenceTo({ title, description, type }: TitledSchema, titled: Components): Json {
  const $ref = `#/components/schemas/${title}`
  const ownDescription = hasOneDescription(titled.get(title)!) ? {} : { description }
  return type === 'object'
    ? { $ref, ...ownDescription }
    : { anyOf: [{ $ref }, { type: 'null' }], ...ownDescription }
}

/** If true, the description belongs to the component, otherwise to each use. */
const hasOneDescription = ({ descriptions }: Component) => descriptions.size === 1

function componentsOf(titled: Components): Json {
  return Object.fromEntries(
    [...titled].sort().map(([name, component]) => {
      const [description] = hasOneDescription(component) ? component.descriptions : []
      const schema = withReferences(component.schema, titled) as Json
      return [name, description === undefined ? schema : { description, ...schema }]
    }),
  )
}

function addHeaders({ parameters = [], responses }: Operation): void {
  const isIdempotent = parameters.some(({ name }) => name === 'idempotency-key')
  for (const [status, response] of Object.entries(responses)) {
    response.headers = {
      'x-request-id': headerRef('RequestId'),
      ...(['429', '503'].includes(status) ? { 'retry-after': headerRef('RetryAfter') } : {}),
      ...(isIdempotent && ['200', '202'].includes(status)
        ? { 'idempotent-replayed': headerRef('IdempotentReplayed') }
        : {}),
      ...(isIdempotent && status === '409' ? { 'retry-after': headerRef('KeyRetryAfter') } : {}),
      ...response.headers,
    }
  }
}

/** Shares error responses with the usual description. One that differs from the first with its name is not shared. */
function shareResponses(operations: readonly Operation[]): Json {
  const shared: Json = {}
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      if (response.description !== STATUS_DESCRIPTIONS[Number(status)]) continue
      const isAboutKey = status === '409' && 'retry-after' in response.headers!
      const name = isAboutKey ? 'KeyConflict' : STATUS_CODES[status]!.replaceAll(' ', '')
      shared[name] ??= response
      if (!isDeepStrictEqual(shared[name], response)) continue
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return shared
}

/** Shares parameters that are the same in several operations. */
function shareParameters(operations: readonly Operation[]): Json {
  const uses = new Map<string, number>()
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const text = JSON.stringify(parameter)
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  const shared: Json = {}
  for (const operation of operations) {
    if (operation.parameters === undefined) continue
    operation.parameters = operation.parameters.map((parameter) => {
      if (uses.get(JSON.stringify(parameter)) === 1) return parameter
      const name = pascalCase(String(parameter.name))
      shared[name] ??= parameter
      if (!isDeepStrictEqual(shared[name], parameter)) return parameter
      return { $ref: `#/components/parameters/${name}` }
    })
  }
  return shared
}

const pascalCase = (name: string) =>
  name.replace(/(^|[-_])(\w)/g, (_, __, letter: string) => letter.toUpperCase())
