import {
  type Config,
  ConfigError,
  isLoopback,
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

function exposures({ host, publicUrl, isDemo, allowPrivateWebhooks }: Config): Finding[] {
  const findings: Finding[] = []
  if (!isLoopback(host) && isDemo) {
    findings.push(
      warning(
        'settings',
        `the demo store and its keys can be reached from outside (HOST=${host})`,
        'Set FLORIN_DEMO=0 for anything but a try, and HOST=127.0.0.1 behind a proxy.',
      ),
    )
  }
  const { protocol, hostname } = new URL(publicUrl)
  const isPublic = !isLoopback(hostname)
  if (isPublic && protocol === 'http:') {
    findings.push(
      warning(
        'settings',
        'FLORIN_PUBLIC_URL is plain http: keys and PINs would travel unencrypted',
        'Put a proxy that speaks TLS in front and name its https address.',
      ),
    )
  }
  if (isPublic && allowPrivateWebhooks) {
    findings.push(
      warning(
        'settings',
        'webhooks may go to private addresses of your network',
        'Set FLORIN_WEBHOOK_PRIVATE=refuse.',
      ),
    )
  }
  return findings
}
