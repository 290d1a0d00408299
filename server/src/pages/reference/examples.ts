import { readFile } from 'node:fs/promises'
import { tokensOf } from '@florin/shared/highlight.js'
import { type Html, html } from '../html.ts'
import { icon } from '../parts.ts'

const FILE = new URL('../../../../docs/reference/examples.json', import.meta.url)

type Lines = readonly string[]
type Sources = Partial<Record<Language, Lines>>
export type Example = { readonly sources: Sources; readonly answer: Answer }
export type Answer = { readonly status: number; readonly type: string; readonly text: Lines }

/** Requests that were run, and their responses. `npm run reference` records them. */
export type Examples = {
  readonly calls: Record<string, Example>
  readonly webhook: { readonly request: Lines; readonly sources: Sources }
}

export type Language = keyof typeof LANGUAGES
const LANGUAGES = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
} as const

export const readExamples = async (): Promise<Examples> =>
  JSON.parse(await readFile(FILE, 'utf8')) as Examples

/** The languages are radio buttons, which work without JavaScript. */
export function sourcesView(id: string, sources: Sources): Html {
  const languages = (Object.keys(LANGUAGES) as Language[]).filter(
    (language) => sources[language] !== undefined,
  )
  const choice = (language: Language, index: number) =>
    html`<label><input type="radio" name="language-${id}" value="${language}"${index === 0 ? html` checked` : null}><span>${LANGUAGES[language]}</span></label>`
  return html`<fieldset class="example">
<legend class="visually-hidden">Language of the example</legend>
<div class="example-head">${languages.map(choice)}${copyButton()}</div>
${languages.map((language) => code(sources[language]!, language))}</fieldset>
`
}

export const responseView = ({ status, type, text: lines }: Answer): Html =>
  html`<div class="example">
<div class="example-head"><span class="response-status">${status}</span><span class="soft">${type}</span></div>
${lines.length === 0 ? null : code(lines)}</div>
`

/** Code without a choice of languages. */
export const codeView = (lines: Lines): Html => html`<div class="example">${code(lines)}</div>\n`

/** Can be focused, so that the keyboard can scroll the column that contains it. */
const code = (lines: Lines, language: Language | null = null): Html =>
  html`<pre class="code" tabindex="0"${language === null ? null : html` data-language="${language}"`}><code>${tokensOf(lines.join('\n')).map(({ kind, text }) => (kind === null ? text : html`<span class="token-${kind}">${text}</span>`))}</code></pre>
`

const copyButton = (): Html =>
  html`<button type="button" class="copy" data-done="Copied" hidden>${icon('copy')}<span>Copy</span></button>`
