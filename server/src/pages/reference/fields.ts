import { PATTERN_MESSAGES } from '@florin/contract/fields.js'
import { type Html, html } from '../html.ts'
import type { Parameter, Schema } from './document.ts'
import { prose } from './prose.ts'

type Row = {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  /** Path, query or header. Absent for a field of the body. */
  readonly location?: string
}

/** A table with one row per field. Nested fields have dotted paths. */
export const fieldsTable = (caption: string, rows: readonly Row[]): Html | null =>
  rows.length === 0
    ? null
    : html`<table class="fields">
<caption>${caption}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows.map(fieldRow)}</tbody>
</table>
`

export const parameterRows = (parameters: readonly Parameter[]): Row[] =>
  [...parameters]
    .sort(inOrder)
    .map(({ in: location, name, required = false, description, schema }) => ({
      name,
      required,
      location,
      schema: { description: description ?? '', ...schema },
    }))

const LOCATIONS = ['path', 'query', 'header']
const inOrder = (a: Parameter, b: Parameter) => LOCATIONS.indexOf(a.in) - LOCATIONS.indexOf(b.in)

/** Fields, depth first. `[]` stands for each item of a list. */
export function schemaRows(schema: Schema, path = ''): Row[] {
  if (schema.items !== undefined) return schemaRows(schema.items, `${path}[]`)
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = path === '' ? key : `${path}.${key}`
    const required = schema.required?.includes(key) ?? false
    return [{ name, schema: field, required }, ...schemaRows(field, name)]
  })
}

const fieldRow = ({ name, schema, required, location }: Row): Html =>
  html`<tr>
<th scope="row"><code>${withLineBreaks(name)}</code>${location === undefined ? null : html` <span class="soft">${location}</span>`}</th>
<td>${typeOf(schema)}${required ? html`, <strong>required</strong>` : null}</td>
<td>${prose([schema.description ?? '', ...limitsOf(schema)].filter(Boolean).join(' '))}</td>
</tr>
`

/** Allows line breaks after dots, because paths can be long. */
const withLineBreaks = (name: string): Html =>
  html`${name.split('.').map((part, index) => (index === 0 ? part : html`.<wbr>${part}`))}`

function typeOf({ type, items, enum: values, const: constant }: Schema): string {
  const types = [type ?? typeOfValue(constant ?? values?.[0])].flat()
  const [first = 'anything'] = types.filter((name) => name !== 'null')
  const isNullable = types.includes('null') || values?.includes(null)
  const name = items === undefined ? first : `array of ${typeOf(items)}`
  return isNullable ? `${name} or null` : name
}

const typeOfValue = (value: unknown): string => (value === undefined ? 'anything' : typeof value)

/** The limits, choices and example of a schema, as sentences. */
function limitsOf(schema: Schema): string[] {
  const { pattern, examples, enum: values, const: constant, items } = schema
  const limits = [
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    range(schema.minimum, schema.maximum, ''),
    schema.exclusiveMinimum === undefined ? null : `above ${schema.exclusiveMinimum}`,
  ]
  const message = pattern === undefined ? undefined : PATTERN_MESSAGES.get(pattern)
  const choices =
    values?.filter((value) => value !== null) ?? (constant === undefined ? [] : [constant])
  return [
    ...limits.filter((limit) => limit !== null).map(sentence),
    ...(message?.startsWith('must be') ? [sentence(message)] : []),
    ...(choices.length > 0 ? [`${choices.map((choice) => `\`${choice}\``).join(', ')}.`] : []),
    ...(items === undefined ? [] : limitsOf(items)),
    ...(examples === undefined ? [] : [`Example: \`${examples[0]}\`.`]),
  ]
}

function range(from: unknown, to: unknown, unit: string): string | null {
  // The largest integer of JavaScript is not a limit worth mentioning.
  const max = to === Number.MAX_SAFE_INTEGER ? undefined : to
  if (from !== undefined && max !== undefined) return `${from} to ${max}${unit}`
  if (max !== undefined) return `at most ${max}${unit}`
  return from === undefined ? null : `at least ${from}${unit}`
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`
