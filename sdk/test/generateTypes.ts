import type { TSchema } from 'typebox'

/** The parts of a JSON schema that the contract uses. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly title?: string
  readonly description?: string
  readonly pattern?: string
}

type GeneratedType = {
  readonly name: string
  readonly schema: TSchema
  /** Types that replace those of the schema, by the dotted path of the field. */
  readonly fields?: Readonly<Record<string, string>>
}

type Context = {
  /** The names of types, by the title or the values of their schema. */
  readonly names: ReadonlyMap<string | null, string>
  readonly fields: Readonly<Record<string, string>>
  readonly isReadonly: boolean
}

/** TypeScript types for schemas of the contract. The descriptions become doc comments. */
export function generateTypes(
  types: readonly GeneratedType[],
  { isReadonly }: { isReadonly: boolean },
): string {
  const names = new Map(types.map(({ name, schema }) => [identityOf(schema as Schema), name]))
  return types
    .map(({ name, schema, fields = {} }) => {
      const others = new Map(
        [...names].filter(([identity, other]) => identity !== null && other !== name),
      )
      const context = { names: others, fields, isReadonly }
      const type = typeOf(schema as Schema, context, { path: [], indent: '' })
      const line = `export type ${name} = ${type}\n`
      const isLong = !type.includes('\n') && line.length > MAX_LINE
      const lines = `export type ${name} =\n${type.replace(/(^| \| )/g, '\n  | ').slice(1)}\n`
      return `${comment(schema as Schema, '')}${isLong ? lines : line}`
    })
    .join('\n')
}

/** What two uses of one type have in common: the title, or else the values. Null for a schema without them. */
export const identityOf = ({ title, enum: values }: Schema): string | null =>
  title ?? (values === undefined ? null : JSON.stringify(values))

type Place = { readonly path: readonly string[]; readonly indent: string }

function typeOf(schema: Schema, context: Context, place: Place): string {
  const replaced = context.fields[place.path.join('.')]
  const types = [schema.type ?? []].flat()
  const isNullable = types.includes('null') || schema.enum?.includes(null) === true
  const orNull = isNullable ? ' | null' : ''
  return `${replaced ?? bareType(schema, types, context, place)}${orNull}`
}

function bareType(
  schema: Schema,
  types: readonly string[],
  context: Context,
  place: Place,
): string {
  const named = context.names.get(identityOf(schema))
  if (named !== undefined) return named
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) {
    return schema.enum
      .filter((value) => value !== null)
      .map(literal)
      .join(' | ')
  }
  const [type] = types.filter((name) => name !== 'null')
  if (type === 'array') return arrayType(schema.items ?? {}, context, place)
  if (type === 'object') return objectType(schema, context, place)
  if (type === 'integer') return 'number'
  if (type === 'string' || type === 'number' || type === 'boolean') return type
  return 'unknown'
}

function arrayType(items: Schema, context: Context, place: Place): string {
  const item = typeOf(items, context, place)
  const text = `${/[ |]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`
  return context.isReadonly ? `readonly ${text}` : text
}

function objectType(
  { properties, required = [] }: Schema,
  context: Context,
  { path, indent }: Place,
): string {
  const prefix = context.isReadonly ? 'readonly ' : ''
  if (Object.keys(properties ?? {}).length === 0) return `{ ${prefix}[key: string]: unknown }`
  const inner = `${indent}  `
  const lines = Object.entries(properties ?? {}).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?'
    const type = typeOf(schema, context, { path: [...path, name], indent: inner })
    return `${comment(schema, inner)}${inner}${prefix}${name}${optional}: ${type}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value)

const MAX_LINE = 100

function comment({ description }: Schema, indent: string): string {
  if (description === undefined) return ''
  const line = `${indent}/** ${description} */\n`
  if (line.length <= MAX_LINE) return line
  const lines = [`${indent} *`]
  for (const word of description.split(' ')) {
    const next = `${lines.at(-1)} ${word}`
    if (next.length <= MAX_LINE) lines[lines.length - 1] = next
    else lines.push(`${indent} * ${word}`)
  }
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`
}
