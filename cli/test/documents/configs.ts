import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Checks of configuration blocks, by language. Each returns the problem, or null. */
export const CONFIGS: Record<string, (text: string) => string | null> = {
  nginx: (text) =>
    proxyProblem(text) ??
    // Wrap the fragment, and remove the certificate, which does not exist here.
    checkWith(
      'nginx',
      ['-t', '-c'],
      `events {} http { ${text.replace(/ssl_cert.*;| ssl\b/g, '')} }`,
    ),
  caddyfile: (text) =>
    proxyProblem(text) ?? checkWith('caddy', ['adapt', '--adapter', 'caddyfile', '--config'], text),
  apache: (text) => proxyProblem(text) ?? checkWith('apache2', ['-t', '-f'], apacheConfig(text)),
  yaml: (text) => (parse(text) === null ? 'it is empty' : null),
}

/** The fragment with the modules that it needs, without the certificate, which does not exist here. */
function apacheConfig(text: string): string {
  const modules = ['mpm_event', 'authz_core', 'ssl', 'http2', 'headers', 'proxy', 'proxy_http']
  const loads = modules.map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`,
  )
  return `ServerName localhost\nErrorLog /dev/null\n${loads.join('')}${text.replace(/SSL.*/g, '')}`
}

/** Checks that the proxy uses Florin's port and its braces match. */
function proxyProblem(text: string): string | null {
  if (!text.includes('127.0.0.1:8080')) return "it does not name the service's port"
  const depth = [...text].reduce((sum, char) => sum + (char === '{' ? 1 : char === '}' ? -1 : 0), 0)
  return depth === 0 ? null : 'its braces do not match'
}

/** Runs the program's own check if it is installed. */
function checkWith(program: string, args: string[], text: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'florin-config-'))
  try {
    const path = join(folder, 'config')
    writeFileSync(path, text)
    const { error, status, stderr } = spawnSync(program, [...args, path], { encoding: 'utf8' })
    if (error) return null
    return status === 0 ? null : stderr
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
