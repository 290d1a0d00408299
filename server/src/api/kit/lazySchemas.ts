import AjvCompiler from '@fastify/ajv-compiler'
import SerializerCompiler from '@fastify/fast-json-stringify-compiler'

type BuildValidator = AjvCompiler.BuildCompilerFromPool
type Compile = ReturnType<BuildValidator>
type Validate = ReturnType<Compile>
type BuildSerializer = SerializerCompiler.SerializerFactory

/**
 * Fastify's own compilers, but each schema is compiled when a request first needs it. Those of all routes
 * together take a second, which every start and every command of the operator would wait for.
 */
const buildValidator: BuildValidator = (externalSchemas, options) => {
  const compile = AjvCompiler()(externalSchemas, options)
  return (route) => {
    let compiled: Validate | undefined
    const validate = ((value: unknown) => {
      compiled ??= compile(route)
      const result = compiled(value)
      validate.errors = compiled.errors ?? null
      return result
    }) as Validate
    return validate
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
