import {
  type Config,
  ConfigError,
  isLoopback,
  isLoopbackUrl,
  readConfig,
  SETTINGS,
} from '@florin/server/config.js'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Those of the commands that act for a store, which the service itself does not read. */
const OF_COMMANDS = ['FLORIN_URL', 'FLORIN_API_KEY', 'FLORIN_API_SECRET']

/** Everything that is wrong with the settings at once; without a Config nothing else can be looked at. */
export function checkSettings(env: NodeJS.ProcessEnv): {
  config: Config | null
  findings: Finding[]
} {
  const known: readonly string[] = [...SETTINGS, ...OF_COMMANDS]
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('FLORIN_') && !known.includes(name),
  )
  const findings = unknown.map((name) =>
    warning('settings', `${name} is no setting of Florin`, 'See .env.example for all of them.'),
  )
  try {
    const config = readConfig(env)
    findings.push(...exposures(config))
    if (findings.length === 0) findings.push(ok('settings', 'can be used'))
    return { config, findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const todo = 'Set it right, or unset it for the default; .env.example explains it.'
    const wrong = error.problems.map((words) => problem('settings', words, todo))
    return { config: null, findings: [...wrong, ...findings] }
  }
}

function exposures(config: Config): Finding[] {
  const { host, publicUrl, isDemo, allowPrivateWebhooks, trustedProxies } = config
  const isPublic = !isLoopbackUrl(publicUrl)
  const isPlain = new URL(publicUrl).protocol === 'http:'
  const findings: Finding[] = []
  const warn = (says: string, todo: string) => findings.push(warning('settings', says, todo))
  if (isDemo && (isPublic || !isLoopback(host))) {
    warn(
      `the demo store and its keys can be reached from outside (HOST=${host}, ${publicUrl})`,
      'Set FLORIN_DEMO=0 for anything but a try, and revoke what it made: npx florin demo revoke.',
    )
  }
  if (isPublic && isPlain) {
    warn(
      'FLORIN_PUBLIC_URL is plain http: keys and PINs would travel unencrypted',
      'Put a proxy that speaks TLS in front and name its https address.',
    )
  }
  if (allowPrivateWebhooks && (isPublic || !isLoopback(host))) {
    warn(
      'webhooks may go to private addresses: every merchant can read your internal HTTP services',
      'Set FLORIN_WEBHOOK_PRIVATE=refuse.',
    )
  }
  // Florin itself speaks no TLS, so a proxy must be in front of an https address, and of what listens on loopback.
  if (isPublic && trustedProxies === 0 && (!isPlain || isLoopback(host))) {
    warn(
      'FLORIN_TRUST_PROXY is 0: every client has the address of the proxy, so limits on failures count all of them together',
      'Set FLORIN_TRUST_PROXY to the number of proxies in front, usually 1.',
    )
  }
  return findings
}
