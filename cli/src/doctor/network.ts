import { createServer } from 'node:net'
import type { Config } from '@florin/server/config.js'
import { isLoopbackUrl } from '@florin/server/core/loopback.js'
import { webhookUrlProblem } from '@florin/server/core/webhookUrl.js'
import { createPoster } from '@florin/server/webhooks/post.js'
import { reasonOf } from '../local.ts'
import { readDemo } from '../merchant.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const TIMEOUT_MS = 5_000

/**
 * Where Florin runs. Without PORT and FLORIN_PUBLIC_URL, that is where the demo responds, as for commands that use the
 * demo's keys: it may have been started with a PORT that this command does not have.
 */
export async function findAddress(config: Config): Promise<Config> {
  const { PORT, FLORIN_PUBLIC_URL } = process.env
  if (PORT || FLORIN_PUBLIC_URL) return config
  const publicUrl = (await readDemo())?.base_url ?? ''
  if (!URL.canParse(publicUrl) || !isLoopbackUrl(publicUrl)) return config
  const { port } = new URL(publicUrl)
  if (port === '' || (await fetchMessage(`${publicUrl}/health`)) !== 'Alive') return config
  return { ...config, port: Number(port), publicUrl }
}

type PortCheck = { readonly finding: Finding; readonly isRunning: boolean }

/** Checks whether the port is free, or used by Florin. */
export async function checkPort({ host, port }: Config): Promise<PortCheck> {
  const code = port === 0 ? null : await tryToListen(host, port)
  if (code !== 'EADDRINUSE')
    return { finding: describeUnusedPort({ host, port, code }), isRunning: false }
  const name = host.includes(':') ? `[${host}]` : host
  const local = `http://${host === '0.0.0.0' ? '127.0.0.1' : name}:${port}`
  if ((await fetchMessage(`${local}/health`)) !== 'Alive') {
    const fix = 'Stop that program, or choose another port: PORT=8081.'
    return { finding: problem('port', `another program uses ${port}`, fix), isRunning: false }
  }
  const ready = await fetchMessage(`${local}/ready`)
  const fix = 'See its log, and the database findings above.'
  const finding =
    ready === 'Ready'
      ? ok('port', `Florin runs on ${port} and is ready`)
      : problem('port', `Florin runs on ${port} but is not ready: ${ready}`, fix)
  return { finding, isRunning: true }
}

function describeUnusedPort({
  host,
  port,
  code,
}: {
  host: string
  port: number
  code: string | null
}): Finding {
  if (code === null)
    return ok('port', port === 0 ? 'any free port' : `${port} is free; start Florin with npm start`)
  if (code === 'EACCES') {
    return problem('port', `no permission to use ${port}`, 'Set PORT to a number above 1023.')
  }
  const fix = 'Use HOST=127.0.0.1, or 0.0.0.0 for all addresses.'
  return problem('port', `HOST=${host} is not an address of this machine (${code})`, fix)
}

/** Tries to listen; returns the error code, or null on success. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** Checks that the service responds at its public address. */
export async function checkPublicUrl(
  { publicUrl }: Config,
  { isRunning }: { isRunning: boolean },
): Promise<Finding> {
  const health = await fetchMessage(`${publicUrl}/health`)
  if (health === 'Alive') return ok('public URL', `${publicUrl} responds`)
  const message = `${publicUrl} does not respond: ${health}`
  if (!isRunning && isLoopbackUrl(publicUrl)) {
    return ok('public URL', `${publicUrl}, when Florin runs`)
  }
  const fix = isRunning
    ? 'FLORIN_PUBLIC_URL must lead to this service: check the proxy, the name and the certificate.'
    : 'Start Florin and run this again.'
  return isRunning ? problem('public URL', message, fix) : warning('public URL', message, fix)
}

/** Posts an unsigned body to the receiver, with the rules of every webhook. */
export async function checkWebhook(url: string, config: Config): Promise<Finding> {
  const { allowPrivateWebhooks: allowPrivate, webhookPorts: allowedPorts } = config
  const wrong = webhookUrlProblem(url, { allowPrivate, allowedPorts })
  if (wrong !== null) {
    return problem('webhook', `${url} ${wrong}`, 'Use an address that webhooks can be sent to.')
  }
  const { statusCode, error, durationMs } = await post(url, { allowPrivate, allowedPorts })
  if (statusCode === null) {
    const fix = 'Check its name, address, certificate and firewall; docs/webhooks.md has the rules.'
    return problem('webhook', `${url} cannot be reached: ${error}`, fix)
  }
  const message = `${url} responds ${statusCode} in ${durationMs} ms`
  if (statusCode < 300) {
    const fix = 'The receiver accepted an unsigned body: make sure that it verifies signatures.'
    return warning('webhook', message, fix)
  }
  if (statusCode < 400) {
    return problem('webhook', message, 'Redirects are not followed: use the final URL.')
  }
  if (statusCode === 404 || statusCode >= 500) {
    return problem('webhook', message, 'Check the log of the receiver.')
  }
  return ok('webhook', `${message}, as expected for an unsigned body`)
}

async function post(url: string, rules: Parameters<typeof createPoster>[0]) {
  const poster = createPoster(rules, { connectionsPerHost: 1 })
  try {
    return await poster.post({ url, body: '{"type":"florin.doctor"}', headers: {} })
  } finally {
    await poster.close()
  }
}

/** Returns the message of a Florin endpoint, or the reason for no response. */
async function fetchMessage(url: string): Promise<string> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    const body = (await response.json()) as { message?: unknown }
    return typeof body.message === 'string' ? body.message : `status ${response.status}`
  } catch (error) {
    return reasonOf((error as Error).cause ?? error)
  }
}
