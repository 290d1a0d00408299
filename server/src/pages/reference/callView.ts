import { type Html, html } from '../html.ts'
import type { ApiDocument, ApiResponse, Call } from './document.ts'
import { type Example, responseView, sourcesView } from './examples.ts'
import { fieldsTable, parameterRows, schemaRows } from './fields.ts'
import { paragraph, prose } from './prose.ts'
import { tryView } from './tryView.ts'

type CallContext = {
  readonly document: ApiDocument
  readonly example: Example | undefined
  readonly basePath: string
}

/** One endpoint: description, credentials, parameters, body and responses, with the example beside them. */
export function callView(call: Call, { document, example, basePath }: CallContext): Html {
  const { operationId, summary, description, parameters = [], requestBody } = call
  const body = requestBody?.content['application/json']?.schema
  return html`<section class="call" id="${operationId}">
<div class="text">
<h3><a href="${basePath}/docs#${operationId}">${summary}</a></h3>
${addressView(call)}
${description === undefined ? null : paragraph(description)}<p class="credentials">${prose(credentialsOf(call, document))}</p>
${fieldsTable('Parameters', parameterRows(parameters))}${body === undefined ? null : fieldsTable(requestBody!.required ? 'Body' : 'Body (optional)', schemaRows(body))}${responsesView(call)}</div>
${
  example === undefined
    ? null
    : html`<div class="beside">
<h4 class="visually-hidden">Example</h4>
${sourcesView(operationId, example.sources)}${tryView(call, example)}${responseView(example.answer)}</div>
`
}</section>
`
}

/** The title of an endpoint, which links to a page with its details. The script shows the details in its place. */
export const callSummary = (call: Call, basePath: string): Html =>
  html`<section class="call" id="${call.operationId}">
<h3><a href="${basePath}/docs/${call.operationId}">${call.summary}</a></h3>
${addressView(call)}
</section>
`

const addressView = ({ method, path }: Call): Html =>
  html`<p class="address"><span class="method" data-method="${method}">${method}</span> ${path}</p>`

function responsesView({ responses }: Call): Html {
  const responsesWhere = (matches: (status: string) => boolean) =>
    Object.entries(responses).filter(([status]) => matches(status))
  const errors = responsesWhere((status) => !status.startsWith('2'))
  return html`${responsesWhere((status) => status.startsWith('2')).map(([status, response]) => successView(status, response))}<details>
<summary>Errors ${errors.map(([status], index) => html`${index === 0 ? null : ', '}${status}`)}</summary>
<dl class="errors">${errors.map(([status, { description }]) => html`<dt>${status}</dt><dd>${prose(description)}</dd>`)}</dl>
</details>
`
}

function successView(
  status: string,
  { description, headers = {}, content = {} }: ApiResponse,
): Html {
  const types = Object.keys(content)
  const rows = [
    // A header has its description outside its schema, like a parameter.
    ...parameterRows(
      Object.entries(headers)
        // The introduction describes it.
        .filter(([name]) => name !== 'x-request-id')
        .map(([name, header]) => ({ ...header, name, in: 'header' })),
    ),
    ...schemaRows(content['application/json']?.schema ?? {}),
  ]
  if (rows.length === 0)
    return html`<p>Returns ${status}, ${types.join(' or ')}: ${description}.</p>\n`
  return html`<details open><summary>Response ${status}</summary>${fieldsTable(`Fields of the response ${status}`, rows)}</details>\n`
}

/** The credentials that the endpoint needs. */
function credentialsOf({ security }: Call, { components }: ApiDocument): string {
  if (security.length === 0) return 'Needs no credentials.'
  const textOf = (name: string) => {
    const { type, in: place, name: key } = components.securitySchemes[name]!
    if (type === 'http') return '`Authorization: Bearer …`'
    return place === 'cookie' ? `the cookie \`${key}\`` : `\`${key}\``
  }
  const ways = security.map((schemes) => Object.keys(schemes).map(textOf).join(' and '))
  const scopes = [...new Set(security.flatMap((schemes) => Object.values(schemes).flat()))]
  const scope = scopes.length === 0 ? '' : `, with the scope \`${scopes.join('`, `')}\``
  return `Needs ${ways.join(', or ')}${scope}.`
}
