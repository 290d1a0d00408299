import { type Html, html } from '../html.ts'
import { brand, icon } from '../parts.ts'
import { callSummary } from './callView.ts'
import type { ApiDocument, Call, Chapter } from './document.ts'
import type { Topic } from './introduction.ts'

type Overview = {
  readonly document: ApiDocument
  readonly topics: readonly Topic[]
  readonly chapters: readonly Chapter[]
  readonly basePath: string
}

/** The rules and a list of all endpoints. It works without the script, and has few elements, so that it loads fast. */
export const overview = ({ document, topics, chapters, basePath }: Overview): Html =>
  frame(
    basePath,
    html`<a class="button button-quiet to-contents" href="#contents">${icon('list')}<span>Contents</span></a>`,
    html`<main>
<h1>API reference</h1>
<p class="soft">Version ${document.info.version}. OpenAPI document: <a href="${basePath}/openapi.json">openapi.json</a>.</p>
<p>${document.info.description}</p>
${topics.map(topicView)}
${chapters.map((chapter) => chapterView(chapter, basePath))}
</main>
${contents(topics, chapters)}`,
  )

/** One endpoint on a page of its own, with links to the others of its chapter. */
export const callPage = (chapter: Chapter, call: Call, view: Html, basePath: string): Html =>
  frame(
    basePath,
    html`<a class="button button-quiet" href="${basePath}/docs">${icon('list')}<span>All endpoints</span></a>`,
    html`<main>
<h1>API reference</h1>
<h2>${chapter.name}</h2>
${view}</main>
<nav class="rail" aria-label="${chapter.name}"><ul>${chapter.calls.map(
      (listed) =>
        html`<li><a href="${basePath}/docs/${listed.operationId}" data-method="${listed.method}"${listed === call ? html` aria-current="page"` : null}>${listed.summary}</a></li>`,
    )}</ul></nav>`,
  )

const frame = (basePath: string, link: Html, body: Html): Html =>
  html`<header class="reference-head"><a class="brand-link" href="${basePath}/">${brand()}</a><button type="button" class="button button-quiet to-search" hidden aria-label="Search" aria-keyshortcuts="/ Control+K">${icon('search')}<span>Search</span><kbd>/</kbd></button>${link}</header>
<div class="reference">
${body}
</div>
<p class="visually-hidden" role="status"></p>
${searchDialog()}`

/** The script opens it and fills the list. */
const searchDialog = (): Html =>
  html`<dialog class="search" aria-label="Search">
<div class="search-head">${icon('search')}<input type="text" enterkeyhint="search" role="combobox" aria-label="Search the reference" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false" maxlength="100" placeholder="Endpoint, field or error"><button type="button" class="search-close" aria-label="Close">${icon('close')}</button></div>
<ul class="found" id="found" role="listbox" aria-label="Results"></ul>
<p class="search-note soft small" role="status"></p>
</dialog>`

const topicView = ({ id, title, text, beside }: Topic): Html =>
  html`<section class="chapter topic" id="${id}">
<div class="text">
<h2><a href="#${id}">${title}</a></h2>
${text}</div>
${beside === null ? null : html`<div class="beside">${beside}</div>\n`}</section>
`

const idOf = ({ name }: Chapter) => `calls-${name.toLowerCase()}`

const chapterView = (chapter: Chapter, basePath: string): Html =>
  html`<section class="chapter" id="${idOf(chapter)}">
<h2><a href="#${idOf(chapter)}">${chapter.name}</a></h2>
<p>${chapter.description}.</p>
${chapter.calls.map((call) => callSummary(call, basePath))}</section>
`

/** Comes last, so that phones show the content first. On wide screens it is beside the content. */
function contents(topics: readonly Topic[], chapters: readonly Chapter[]): Html {
  // The style sheet shows the method, which keeps the page small.
  const link = (id: string, text: string, method: Html | null) =>
    html`<li><a href="#${id}"${method}>${text}</a></li>`
  const group = (title: string, links: Html[], isOpen: boolean) =>
    html`<details${isOpen ? html` open` : null}><summary>${title}</summary><ul>${links}</ul></details>\n`
  return html`<nav class="rail" id="contents" aria-label="Contents">
<button type="button" class="rail-close" popovertarget="contents" popovertargetaction="hide" aria-label="Close">${icon('close')}</button>
${group(
  'Basics',
  topics.map(({ id, title }) => link(id, title, null)),
  true,
)}${chapters.map(({ name, calls }, index) =>
  group(
    name,
    calls.map((call) => link(call.operationId, call.summary, html` data-method="${call.method}"`)),
    index === 0,
  ),
)}</nav>`
}
