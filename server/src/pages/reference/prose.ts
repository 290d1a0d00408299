import { type Html, html } from '../html.ts'

/** Text with code between backticks. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

export const paragraph = (text: string): Html => html`<p>${prose(text)}</p>\n`

type Cell = string | Html

export const table = (caption: string, heads: readonly string[], rows: readonly Cell[][]): Html =>
  html`<table class="plain">
<caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${typeof cell === 'string' ? prose(cell) : cell}</td>`)}</tr>\n`)}</tbody>
</table>
`
