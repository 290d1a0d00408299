import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from '../api/kit/http/headers.ts'
import { refuse } from '../api/kit/replies.ts'

const BUILD = new URL('../../../web/dist/public/', import.meta.url)

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Encodings and the file suffixes of the build, in order of preference. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The files that a page links: its script, and the styles of all modules that the script imports. */
export type Entry = { readonly script: string; readonly styles: readonly string[] }

/** Written by web/build.mjs: the entries by their sources, and all files. */
type Manifest = { entries: Record<string, Entry>; files: string[] }

/** Read on the first request for a page or a file, because a service without a web build must start too. */
let manifest: Promise<Manifest> | undefined

function readManifest(): Promise<Manifest> {
  manifest ??= readFile(new URL('manifest.json', BUILD), 'utf8').then(JSON.parse)
  manifest.catch(() => {
    manifest = undefined
  })
  return manifest
}

/** The files of an entry of the web build. `source` is its path, such as `src/wallet/main.tsx`. */
export async function entryOf(source: string): Promise<Entry> {
  const { entries } = await readManifest()
  return entries[source]!
}

/**
 * Serves the files of the web build. Their names contain a hash of their content, so browsers can cache them for a year.
 * Only names in the manifest are read from disk.
 */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  type Route = { readonly Params: { readonly file: string } }
  app.get<Route>('/assets/:file', { schema: { hide: true } }, async (request, reply) => {
    const name = `assets/${request.params.file}`
    const { files } = await readManifest()
    if (!files.includes(name)) return refuse(reply, 'path_unknown')
    return sendFile(request, reply, name, 'public, max-age=31536000, immutable')
  })
}

const files = new Map<string, Promise<Buffer>>()
function read(name: string): Promise<Buffer> {
  const content = files.get(name) ?? readFile(new URL(name, BUILD))
  files.set(name, content)
  content.catch(() => files.delete(name))
  return content
}

/** Sends a file of the build in the best encoding that the browser accepts. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  cacheControl: string,
): Promise<FastifyReply> {
  const encoding = ENCODINGS.find(([coding]) => acceptsEncoding(request, coding))
  if (encoding !== undefined) reply.header('content-encoding', encoding[0])
  return reply
    .header('content-type', TYPES[name.split('.').at(-1)!]!)
    .header('cache-control', cacheControl)
    .header('vary', 'accept-encoding')
    .send(await read(name + (encoding?.[1] ?? '')))
}
