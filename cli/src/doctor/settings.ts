import { type Config, ConfigError, readConfig, SETTINGS } from '@florin/server/config.js'
import { isLoopback, isLoopbackUrl } from '@florin/server/core/loopback.js'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Settings of commands, which the service does not read. */
const COMMAND_SETTINGS = [
  'FLORIN_URL',
  'FLORIN_API_KEY',
  'FLORIN_API_SECRET',
  'FLORIN_NEW_SECRET_KEY',
]

/** Checks all settings. Without a valid Config, the other checks cannot run. */
export function checkSettings(env: NodeJS.ProcessEnv): {
  config: Config | null
  findings: Finding[]
} {
  const known: readonly string[] = [...SETTINGS, ...COMMAND_SETTINGS]
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('FLORIN_') && !known.includes(name),
  )
  const findings = unknown.map((name) =>
    warning('settings', `${name} is not a setting of Florin`, 'See .env.example for all settings.'),
  )
  try {
    const config = readConfig(env)
    findings.push(...findExposures(config))
    if (findings.length === 0) findings.push(ok('settings', 'valid'))
    return { config, findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const fix = 'Correct the setting, or unset it to use the default; see .env.example.'
    const wrong = error.problems.map((message) => problem('settings', message, fix))
    return { config: null, findings: [...wrong, ...findings] }
  }
}

function findExposures(config: Config): Finding[] {
  const { host, publicUrl, isDemo, allowPrivateWebhooks, trustedProxies } = config
  const isPublic = !isLoopbackUrl(publicUrl)
  const isPlain = new URL(publicUrl).protocol === 'http:'
  const findings: Finding[] = []
  const warn = (message: string, fix: string) => findings.push(warning('settings', message, fix))
  if (isDemo && (isPublic || !isLoopback(host))) {
    warn(
      `the demo store and its keys are reachable from outside (HOST=${host}, ${publicUrl})`,
      'Set FLORIN_DEMO=0 and revoke its credentials: npx florin demo revoke.',
    )
  }
  if (isPublic && isPlain) {
    warn(
      'FLORIN_PUBLIC_URL is plain http: keys and PINs would travel unencrypted',
      'Put a TLS proxy in front and set its https address.',
    )
  }
  if (allowPrivateWebhooks && (isPublic || !isLoopback(host))) {
    warn(
      'webhooks to private addresses are allowed: every merchant can read your internal HTTP services',
      'Set FLORIN_WEBHOOK_PRIVATE=refuse.',
    )
  }
  // Florin serves no TLS, so an https address or a loopback listener implies a proxy.
  if (isPublic && trustedProxies === 0 && (!isPlain || isLoopback(host))) {
    warn(
      'FLORIN_TRUST_PROXY is 0: all clients share the address of the proxy and its limits',
      'Set FLORIN_TRUST_PROXY to the number of proxies in front, usually 1.',
    )
  }
  return findings
}
