import { type Html, html } from '../html.ts'
import type { Call, Parameter } from './document.ts'
import type { Example } from './examples.ts'
import { prose } from './prose.ts'

/** A form that sends the request with the visitor's own sandbox key. Only for endpoints that take an API key. */
export function tryView(
  { method, path, security, parameters = [] }: Call,
  example: Example,
): Html | null {
  if (!security.some((schemes) => 'apiKey' in schemes)) return null
  const curl = example.sources.curl!.join('\n')
  const { searchParams } = new URL(/"\$FLORIN_URL([^"]*)"/.exec(curl)![1]!, 'http://localhost')
  const body = bodyOf(curl)
  const inputs = parameters.map((parameter) =>
    inputView(parameter, searchParams.get(parameter.name)),
  )
  return html`<details class="try example" hidden>
<summary>Try it in the sandbox</summary>
<form data-method="${method}" data-path="${path}" novalidate>
<p class="small soft">Sends the request from this page. Your key stays in this tab and is forgotten when you reload it.</p>
${field('API key', html`<input class="field-input" name="api-key" data-in="header" autocomplete="off" spellcheck="false" placeholder="flk_sandbox_…">`)}
${field('API secret', html`<input class="field-input" name="api-secret" data-in="header" type="password" autocomplete="off" placeholder="fls_sandbox_…">`)}
${inputs}${body === null ? null : field('Body', html`<textarea class="field-input" name="body" rows="${Math.min(body.split('\n').length, 12)}" spellcheck="false">${body}</textarea>`)}
<button class="button" type="submit">Send</button>
<div class="try-response" hidden></div>
</form>
</details>
`
}

/** The problem with a value is shown after its input. */
const field = (label: string, input: Html): Html =>
  html`<label class="field"><span class="field-label">${prose(label)}</span>${input}<span class="field-problem" hidden></span></label>\n`

/** Only required query parameters have their example, so that the request stays short. */
function inputView(
  { in: location, name, required = false, schema }: Parameter,
  example: string | null,
): Html {
  const label = `\`${name}\`${required ? '' : ' (optional)'}`
  const needed = required ? html` data-required` : null
  const choices = schema.enum?.filter((value) => value !== null)
  return field(
    label,
    choices === undefined
      ? html`<input class="field-input" name="${name}" data-in="${location}"${needed} value="${required ? (example ?? '') : ''}" placeholder="${String(schema.examples?.[0] ?? '')}" autocomplete="off" spellcheck="false">`
      : html`<select class="field-input" name="${name}" data-in="${location}"${needed}><option></option>${choices.map((choice) => html`<option>${String(choice)}</option>`)}</select>`,
  )
}

/** The body of a curl command, which quotes `'` as `'\''`. */
function bodyOf(curl: string): string | null {
  const start = curl.indexOf(" -d '")
  if (start < 0) return null
  return curl.slice(start + 5, curl.lastIndexOf("'")).replaceAll("'\\''", "'")
}
