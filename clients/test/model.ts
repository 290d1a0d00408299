import type { TSchema } from 'typebox'
import { identityOf, type Schema } from '../../sdk/test/generateTypes.ts'

export type Kind =
  | { readonly is: 'text' | 'integer' | 'boolean' | 'object' | 'amount' | 'decimal' | 'time' }
  | { readonly is: 'literal'; readonly values: readonly string[] }
  | { readonly is: 'named'; readonly name: string }
  | { readonly is: 'list'; readonly of: Kind }

export type Field = {
  readonly name: string
  readonly kind: Kind
  readonly isNullable: boolean
  readonly isRequired: boolean
  readonly description: string
}

/** A class with fields, or a name for a set of values. */
export type Model = {
  readonly name: string
  readonly description: string
  readonly fields: readonly Field[]
  readonly values: readonly string[]
}

export type NamedSchema = {
  readonly name: string
  readonly schema: TSchema
  /** Kinds that replace those of the schema, by the name of the field. */
  readonly fields?: Readonly<Record<string, Kind>>
}

const DECIMAL = '\\d+\\.\\d{'
const TIME = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$'

/** The models of schemas. Nested objects become models of their own, before the model that contains them. */
export function readModels(schemas: readonly NamedSchema[]): Model[] {
  const names = new Map(schemas.map(({ name, schema }) => [identityOf(schema as Schema), name]))
  names.delete(null)
  const models = new Map<string, Model>()

  function read(name: string, schema: Schema, replaced: Readonly<Record<string, Kind>>): void {
    // Remove a sentence such as "Null if …": it describes a field, not its class.
    const description = (schema.description ?? '').replace(/ Null [^.]*\.$/, '')
    const values = schema.properties === undefined ? stringsOf(schema) : []
    const { required = [], properties = {} } = schema
    const fields = Object.entries(properties).map(([field, inner]) => ({
      name: field,
      kind: replaced[field] ?? kindOf(inner, `${name}${pascal(field)}`),
      isNullable: typesOf(inner).includes('null') || inner.enum?.includes(null) === true,
      isRequired: required.includes(field),
      description: inner.description ?? '',
    }))
    models.set(name, { name, description, fields, values })
  }

  function kindOf(schema: Schema, path: string): Kind {
    const known = names.get(identityOf(schema))
    if (known !== undefined) return { is: 'named', name: known }
    if (schema.enum !== undefined || schema.const !== undefined)
      return { is: 'literal', values: stringsOf(schema) }
    const [type] = typesOf(schema).filter((name) => name !== 'null')
    if (type === 'array') return { is: 'list', of: kindOf(schema.items ?? {}, path) }
    if (type === 'object') {
      if (Object.keys(schema.properties ?? {}).length === 0) return { is: 'object' }
      const name = schema.title ?? path
      read(name, schema, {})
      return { is: 'named', name }
    }
    if (type === 'integer' || type === 'boolean') return { is: type }
    if (type === 'number') return { is: 'amount' }
    if (schema.pattern === TIME) return { is: 'time' }
    return { is: schema.pattern?.includes(DECIMAL) ? 'decimal' : 'text' }
  }

  for (const { name, schema, fields = {} } of schemas) read(name, schema as Schema, fields)
  return [...models.values()]
}

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat()

const stringsOf = ({ enum: values, const: value }: Schema): string[] =>
  (values ?? [value]).filter((item): item is string => typeof item === 'string')

const pascal = (name: string) =>
  name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
