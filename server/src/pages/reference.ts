import type { FastifyInstance } from 'fastify'
import { type Compressed, compress, once, sendCompressed } from '../api/kit/compressed.ts'
import { basePathOf } from '../config.ts'
import type { Service } from '../service.ts'
import { entryOf } from './assets.ts'
import { type Html, html } from './html.ts'
import { pageHtml, pagePolicy } from './page.ts'
import { brand } from './parts.ts'
import { callView } from './reference/callView.ts'
import { type ApiDocument, type Chapter, chaptersOf, dereference } from './reference/document.ts'
import { readExamples } from './reference/examples.ts'
import { introduction, type Topic } from './reference/introduction.ts'

/** Serves the API reference, rendered from the OpenAPI document of this instance. It is in English only. */
export async function referenceRoutes(app: FastifyInstance, { config }: Service): Promise<void> {
  // Nothing on the page changes while the process runs.
  const page = once(render)

  async function render(): Promise<Compressed> {
    const document = dereference(app.swagger()) as unknown as ApiDocument
    const examples = await readExamples()
    const { publicUrl } = config
    const topics = introduction({ document, examples, publicUrl })
    const chapters = chaptersOf(document)
    const calls = (chapter: Chapter) =>
      chapter.calls.map((call) => callView(call, document, examples.calls[call.operationId]))
    const { markup } = pageHtml({
      locale: 'en',
      title: 'Florin API reference',
      head: html``,
      basePath: basePathOf(config),
      entry: await entryOf('src/reference/main.ts'),
      body: html`<header class="reference-head">${brand()}<a class="to-contents" href="#contents">Contents</a></header>
<div class="reference">
<main>
<h1>API reference</h1>
<p class="soft">Version ${document.info.version}. OpenAPI document: <a href="openapi.json">openapi.json</a>.</p>
<p>${document.info.description}</p>
${topics.map(({ id, title, body }) => section(id, title, body))}
${chapters.map((chapter) => section(idOf(chapter), chapter.name, html`<p>${chapter.description}.</p>\n${calls(chapter)}`))}
</main>
${contents(topics, chapters)}
</div>
<p class="unseen" role="status"></p>`,
    })
    return compress(markup)
  }

  app.get('/docs', { schema: { hide: true } }, async (request, reply) => {
    const rendered = await page()
    reply.header('content-security-policy', pagePolicy())
    reply.header('content-type', 'text/html; charset=utf-8')
    return sendCompressed(request, reply, rendered)
  })
}

const idOf = ({ name }: Chapter) => `calls-${name.toLowerCase()}`

const section = (id: string, title: string, body: Html): Html =>
  html`<section class="chapter" id="${id}">
<h2><a href="#${id}">${title}</a></h2>
${body}</section>
`

/** Comes last, so that phones show the content first. On wide screens it is beside the content. */
function contents(topics: readonly Topic[], chapters: readonly Chapter[]): Html {
  const link = (id: string, text: string) => html`<li><a href="#${id}">${text}</a></li>`
  return html`<nav class="rail" id="contents" aria-label="Contents">
<h2>Basics</h2>
<ul>${topics.map(({ id, title }) => link(id, title))}</ul>
${chapters.map((chapter) => html`<h2><a href="#${idOf(chapter)}">${chapter.name}</a></h2>\n<ul>${chapter.calls.map((call) => link(call.operationId, call.summary))}</ul>\n`)}
</nav>`
}
