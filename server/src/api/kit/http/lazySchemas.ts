import AjvCompiler from '@fastify/ajv-compiler'
import SerializerCompiler from '@fastify/fast-json-stringify-compiler'

type BuildValidator = AjvCompiler.BuildCompilerFromPool
type Compile = ReturnType<BuildValidator>
type Validate = ReturnType<Compile>
type BuildSerializer = SerializerCompiler.SerializerFactory

/**
 * Fastify's own compilers, but each schema is compiled when a request first needs it. Compiling all of them takes
 * a second, which would delay every start and every command of the command line.
 */
const buildValidator: BuildValidator = (externalSchemas, options) => {
  const compile = AjvCompiler()(externalSchemas, options)
  return (route) => {
    const integers = integerFields(route as Part)
    let compiled: Validate | undefined
    const validate = ((value: unknown) => {
      compiled ??= compile(route)
      if (integers.length > 0) parseIntegers(value as Record<string, unknown>, integers)
      const result = compiled(value)
      validate.errors = compiled.errors ?? null
      return result
    }) as Validate
    return validate
  }
}

type Part = {
  readonly httpPart?: string
  readonly schema: { readonly properties?: Record<string, { readonly type?: unknown }> }
}

function integerFields({ httpPart, schema }: Part): string[] {
  if (httpPart !== 'querystring') return []
  const { properties = {} } = schema
  return Object.keys(properties).filter((name) => properties[name]!.type === 'integer')
}

/**
 * Values in a query string are text. Anything but a whole number of at most nine digits stays text, so that its
 * validation fails.
 */
function parseIntegers(query: Record<string, unknown>, fields: readonly string[]): void {
  for (const field of fields) {
    const text = query[field]
    if (typeof text === 'string' && /^\d{1,9}$/.test(text)) query[field] = Number(text)
  }
}

const buildSerializer: BuildSerializer = (externalSchemas, options) => {
  const compile = SerializerCompiler()(externalSchemas, options)
  return (route) => {
    let compiled: SerializerCompiler.Serializer | undefined
    return (document: unknown) => {
      compiled ??= compile(route)
      return compiled(document)
    }
  }
}

export const lazySchemas = { buildValidator, buildSerializer }
