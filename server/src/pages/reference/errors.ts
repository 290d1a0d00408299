import { REFUSALS } from '@florin/contract/refusals.js'
import { type Html, html } from '../html.ts'

/** All errors by status. */
export const errorList = () =>
  Object.entries(REFUSALS)
    .map(([code, [status, message]]) => ({ id: `error-${code}`, status, message }))
    .sort((a, b) => a.status - b.status)

export const errorsTable = (): Html =>
  html`<table class="plain">
<caption>All errors</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Message</th></tr></thead>
<tbody>${errorList().map(({ id, status, message }) => html`<tr id="${id}"><td>${status}</td><td>${message}</td></tr>\n`)}</tbody>
</table>
`
