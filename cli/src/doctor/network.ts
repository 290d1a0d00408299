import { createServer } from 'node:net'
import { type Config, isLoopbackUrl } from '@florin/server/config.js'
import { webhookUrlProblem } from '@florin/server/core/webhookUrl.js'
import { createPoster } from '@florin/server/webhooks/post.js'
import { type Finding, ok, problem, warning } from './finding.ts'

const ASK_MS = 5_000

type PortLook = { readonly finding: Finding; readonly isRunning: boolean }

/** Whether the port is free; and if not, whether it is Florin that has it. */
export async function checkPort({ host, port }: Config): Promise<PortLook> {
  const code = port === 0 ? null : await listenCode(host, port)
  if (code !== 'EADDRINUSE') return { finding: emptyPort({ host, port, code }), isRunning: false }
  const name = host.includes(':') ? `[${host}]` : host
  const local = `http://${host === '0.0.0.0' ? '127.0.0.1' : name}:${port}`
  if ((await ask(`${local}/health`)) !== 'Alive') {
    const todo = 'Stop what runs there, or choose another: PORT=8081.'
    return { finding: problem('port', `another program is on ${port}`, todo), isRunning: false }
  }
  const ready = await ask(`${local}/ready`)
  const todo = 'Its log tells why; what is wrong with the database is said above.'
  const finding =
    ready === 'Ready'
      ? ok('port', `Florin is on ${port}, and ready`)
      : problem('port', `Florin is on ${port}, but not ready: ${ready}`, todo)
  return { finding, isRunning: true }
}

function emptyPort({
  host,
  port,
  code,
}: {
  host: string
  port: number
  code: string | null
}): Finding {
  if (code === null)
    return ok(
      'port',
      port === 0
        ? 'any that is free'
        : `${port} is free: Florin does not run there, npm start starts it`,
    )
  if (code === 'EACCES') {
    return problem('port', `not allowed to use ${port}`, 'Set PORT to one above 1023.')
  }
  const todo = 'Use HOST=127.0.0.1, or 0.0.0.0 for all addresses.'
  return problem('port', `HOST=${host} is no address of this machine (${code})`, todo)
}

/** The error of listening there; null where it can be done. */
function listenCode(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** Whether customers and receivers find the service where it says that it is. */
export async function checkPublicUrl(
  { publicUrl }: Config,
  { isRunning }: { isRunning: boolean },
): Promise<Finding> {
  const answer = await ask(`${publicUrl}/health`)
  if (answer === 'Alive') return ok('public URL', `${publicUrl} answers`)
  const says = `${publicUrl} does not: ${answer}`
  if (!isRunning && isLoopbackUrl(publicUrl)) {
    return ok('public URL', `${publicUrl}, when Florin runs`)
  }
  const todo = isRunning
    ? 'FLORIN_PUBLIC_URL must lead to this service: look at the proxy, the name and the certificate.'
    : 'Start Florin, and ask again.'
  return isRunning ? problem('public URL', says, todo) : warning('public URL', says, todo)
}

/** Posts something that is not signed, by the way and under the rules of every webhook. */
export async function checkWebhook(url: string, config: Config): Promise<Finding> {
  const { allowPrivateWebhooks: allowPrivate, webhookPorts: allowedPorts } = config
  const wrong = webhookUrlProblem(url, { allowPrivate, allowedPorts })
  if (wrong !== null) {
    return problem('webhook', `${url} ${wrong}`, 'Give an address that webhooks may go to.')
  }
  const poster = createPoster({ allowPrivate, allowedPorts }, { connectionsPerHost: 1 })
  const { statusCode, error, durationMs } = await poster
    .post({ url, body: '{"type":"florin.doctor"}', headers: {} })
    .finally(poster.close)
  if (statusCode === null) {
    const todo =
      'Look at its name, address, certificate and firewall; docs/webhooks.md has the rules.'
    return problem('webhook', `${url} cannot be called: ${error}`, todo)
  }
  const says = `${url} answers ${statusCode} in ${durationMs} ms`
  if (statusCode < 300) {
    const todo = 'It took something that is not signed: see that it verifies signatures.'
    return warning('webhook', says, todo)
  }
  if (statusCode < 400) {
    return problem('webhook', says, 'Redirects are not followed: name where it leads to.')
  }
  if (statusCode === 404 || statusCode >= 500) {
    return problem('webhook', says, 'Look into the log of the receiver.')
  }
  return ok('webhook', `${says}, as it may to what is not signed`)
}

/** What a service of ours says of itself, or why it says nothing. */
async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ASK_MS), redirect: 'manual' })
    const body = (await response.json()) as { message?: unknown }
    return typeof body.message === 'string' ? body.message : `it answers ${response.status}`
  } catch (error) {
    return (error as { cause?: Error }).cause?.message ?? (error as Error).message
  }
}
