import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type CompressedDocument,
  compress,
  once,
  sendCompressed,
} from '../api/kit/http/compressed.ts'
import { basePathOf } from '../config.ts'
import type { Service } from '../service.ts'
import { entryOf } from './assets.ts'
import { type Html, html } from './html.ts'
import { pageHtml, pagePolicy } from './page.ts'
import { callView } from './reference/callView.ts'
import { type ApiDocument, chaptersOf, dereference } from './reference/document.ts'
import { readExamples } from './reference/examples.ts'
import { callPage, overview } from './reference/frame.ts'
import { introduction } from './reference/introduction.ts'
import { searchIndex } from './reference/searchIndex.ts'
import { unknownPathHandler } from './start.ts'

const INDEX = 'search.json'

/**
 * Serves the API reference, rendered from the OpenAPI document of this instance. It is in English only. `/docs` has the
 * rules and a list of all endpoints. Each endpoint also has a page, from which the script of `/docs` takes its details.
 */
export async function referenceRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const basePath = basePathOf(service.config)
  // Nothing changes while the process runs.
  const files = once(render)
  const sendUnknown = unknownPathHandler(service)

  /** All files below `/docs` by name. The name of the overview is empty. */
  async function render(): Promise<Map<string, () => Promise<CompressedDocument>>> {
    const document = dereference(app.swagger()) as unknown as ApiDocument
    const examples = await readExamples()
    const topics = introduction({ document, examples, publicUrl: service.config.publicUrl })
    const chapters = chaptersOf(document)
    const entry = await entryOf('src/reference/main.ts')
    const page = (title: string, body: Html) =>
      pageHtml({ locale: 'en', title, basePath, entry, body, head: html`` }).markup
    const files = new Map<string, () => Promise<CompressedDocument>>()
    const add = (name: string, text: () => string) =>
      files.set(
        name,
        once(() => compress(text())),
      )
    add('', () => page('Florin API reference', overview({ document, topics, chapters, basePath })))
    add(INDEX, () => JSON.stringify(searchIndex(topics, chapters)))
    for (const chapter of chapters) {
      for (const call of chapter.calls) {
        add(call.operationId, () => {
          const example = examples.calls[call.operationId]
          const view = callView(call, { document, example, basePath })
          const title = `${call.summary} - Florin API reference`
          return page(title, callPage(chapter, call, view, basePath))
        })
      }
    }
    return files
  }

  async function send(request: FastifyRequest, reply: FastifyReply, name: string) {
    const file = (await files()).get(name)
    if (file === undefined) return sendUnknown(request, reply)
    const compressed = await file()
    const type = name === INDEX ? 'application/json' : 'text/html'
    reply.header('content-security-policy', pagePolicy())
    reply.header('content-type', `${type}; charset=utf-8`)
    return sendCompressed(request, reply, compressed)
  }

  type Route = { readonly Params: { readonly name: string } }
  const hidden = { schema: { hide: true } }
  app.get('/docs', hidden, (request, reply) => send(request, reply, ''))
  app.get<Route>('/docs/:name', hidden, (request, reply) => {
    const { name } = request.params
    return name === '' ? sendUnknown(request, reply) : send(request, reply, name)
  })
}
