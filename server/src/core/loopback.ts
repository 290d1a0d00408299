import { isIP } from 'node:net'

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/**
 * Whether a URL is reachable from this machine only. Everything else counts as public, including private addresses
 * such as 192.168.0.5 and all other host names, because other machines may reach them.
 */
export function isLoopbackUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isLoopback(host) || host.endsWith('.localhost')
}
