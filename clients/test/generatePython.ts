import type { Field, Kind, Model } from './model.ts'

const MAX_LINE = 100

/** The type of a time: responses have a datetime, requests also accept text. */
type TimeType = 'datetime' | 'Time'

/** Frozen dataclasses, and types for sets of values. */
export const pythonClasses = (models: readonly Model[]): string =>
  models.map((model) => (model.values.length > 0 ? valuesOf(model) : dataclassOf(model))).join('\n')

function valuesOf({ name, description, values }: Model): string {
  const line = `${name} = ${literal(values)}\n`
  const lines = `${name} = Literal[\n${values.map((value) => `    "${value}",\n`).join('')}]\n`
  return `\n${line.length > MAX_LINE ? lines : line}${docstring(description, '')}`
}

function dataclassOf({ name, description, fields }: Model): string {
  const lines = fieldLines(fields, 'datetime')
  return `\n@dataclass(frozen=True)\nclass ${name}:\n${classDocstring(description)}${lines}`
}

/** Dictionaries with typed keys. Python 3.9 has no NotRequired, so the required keys are a class of their own. */
export const pythonDictionaries = (models: readonly Model[]): string =>
  models.map(dictionaryOf).join('\n')

function dictionaryOf({ name, description, fields }: Model): string {
  // The name of this field is a keyword of Python, so the class syntax can't have it.
  if (fields.some((field) => field.name === 'from')) {
    const lines = fields.map((field) => `        "${field.name}": ${typeOf(field, 'Time')},\n`)
    return `\n${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n    total=False,\n)\n`
  }
  const doc = classDocstring(description)
  const required = fieldLines(
    fields.filter((field) => field.isRequired),
    'Time',
  )
  const optional = fieldLines(
    fields.filter((field) => !field.isRequired),
    'Time',
  )
  if (optional === '') return `\nclass ${name}(TypedDict):\n${doc}${required}`
  if (required === '') return `\nclass ${name}(TypedDict, total=False):\n${doc}${optional}`
  return `\nclass _${name}(TypedDict):\n${required}

class ${name}(_${name}, total=False):\n${doc}${optional}`
}

const fieldLines = (fields: readonly Field[], time: TimeType) =>
  fields
    .map((field) => {
      const line = `    ${field.name}: ${typeOf(field, time)}\n`
      return `${line}${docstring(field.description, '    ')}`
    })
    .join('')

function typeOf({ kind, isNullable }: Field, time: TimeType): string {
  const type = pythonType(kind, time)
  return isNullable ? `Optional[${type}]` : type
}

const SIMPLE = {
  text: 'str',
  integer: 'int',
  boolean: 'bool',
  object: 'Dict[str, Any]',
  amount: 'Amount',
  decimal: 'Decimal',
}

function pythonType(kind: Kind, time: TimeType): string {
  if (kind.is === 'literal') return literal(kind.values)
  if (kind.is === 'named') return kind.name
  if (kind.is === 'list') return `List[${pythonType(kind.of, time)}]`
  return kind.is === 'time' ? time : SIMPLE[kind.is]
}

const literal = (values: readonly string[]) =>
  `Literal[${values.map((value) => `"${value}"`).join(', ')}]`

const classDocstring = (text: string) => (text === '' ? '' : `${docstring(text, '    ')}\n`)

function docstring(description: string, indent: string): string {
  if (description === '') return ''
  const text = description.replaceAll('Null', 'None')
  const line = `${indent}"""${text}"""\n`
  if (line.length <= MAX_LINE + 1) return line
  const lines = [`${indent}"""`]
  for (const [index, word] of text.split(' ').entries()) {
    const next = `${lines.at(-1)}${index === 0 ? '' : ' '}${word}`
    if (next.length <= MAX_LINE) lines[lines.length - 1] = next
    else lines.push(`${indent}${word}`)
  }
  return `${lines.join('\n')}\n${indent}"""\n`
}
