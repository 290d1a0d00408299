import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'

/** What is wrong with a block that configures another program; null where nothing is. */
export const CONFIGS: Record<string, (text: string) => string | null> = {
  nginx: (text) =>
    proxyProblem(text) ??
    // Alone it is a part of a configuration; the certificate it names is nobody's here.
    tool('nginx', ['-t', '-c'], `events {} http { ${text.replace(/ssl_cert.*;| ssl\b/g, '')} }`),
  caddyfile: (text) =>
    proxyProblem(text) ?? tool('caddy', ['adapt', '--adapter', 'caddyfile', '--config'], text),
  yaml: (text) => (parse(text) === null ? 'it is empty' : null),
}

/** Whatever proxies for Florin must reach its port and speak for one caller only. */
function proxyProblem(text: string): string | null {
  if (!text.includes('127.0.0.1:8080')) return "it does not name the service's port"
  const depth = [...text].reduce((sum, one) => sum + (one === '{' ? 1 : one === '}' ? -1 : 0), 0)
  return depth === 0 ? null : 'its braces do not match'
}

/** The program's own check, where it is installed. */
function tool(program: string, args: string[], text: string): string | null {
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
