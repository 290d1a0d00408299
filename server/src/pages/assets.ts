import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from '../api/kit/headers.ts'
import { refuse } from '../api/kit/replies.ts'

const BUILT = new URL('../../../web/dist/public/', import.meta.url)

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** What the build names its files after, in order of preference. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

type Chunk = { file: string; css?: string[]; assets?: string[]; imports?: string[] }
type Manifest = Record<string, Chunk>

/** What a page links: its own script, and the styles of everything that the script brings along. */
export type Entry = { readonly script: string; readonly styles: readonly string[] }

/** Read when the first page is asked for, since most of the service does without. */
let manifest: Promise<Manifest> | undefined

function readManifest(): Promise<Manifest> {
  manifest ??= readFile(new URL('manifest.json', BUILT), 'utf8').then(JSON.parse)
  manifest.catch(() => {
    manifest = undefined
  })
  return manifest
}

/** An entry of the web build by its source, such as `src/wallet/main.tsx`. */
export async function entryOf(source: string): Promise<Entry> {
  const chunks = await readManifest()
  const styles = new Set<string>()
  const seen = new Set<string>()
  function walk(name: string): void {
    if (seen.has(name)) return
    seen.add(name)
    for (const inner of chunks[name]!.imports ?? []) walk(inner)
    for (const style of chunks[name]!.css ?? []) styles.add(style)
  }
  walk(source)
  return { script: chunks[source]!.file, styles: [...styles] }
}

/**
 * The files of the web build. Their names carry a hash of what is in them, so a browser may keep them
 * for good; a name that the build did not make is never looked for on the disk.
 */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  app.get('/assets/:file', { schema: { hide: true } }, async (request, reply) => {
    const name = `assets/${(request.params as { file: string }).file}`
    const chunks = Object.values(await readManifest())
    const isBuilt = ({ file, css = [], assets = [] }: Chunk) =>
      [file, ...css, ...assets].includes(name)
    if (!chunks.some(isBuilt)) {
      return refuse(reply, 'path_unknown')
    }
    return sendFile(request, reply, name, 'public, max-age=31536000, immutable')
  })
}

const files = new Map<string, Promise<Buffer>>()
function read(name: string): Promise<Buffer> {
  const known = files.get(name) ?? readFile(new URL(name, BUILT))
  files.set(name, known)
  known.catch(() => files.delete(name))
  return known
}

/** A file of the build, in the smallest form that the browser takes. */
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
