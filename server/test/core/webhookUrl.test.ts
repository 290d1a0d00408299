import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/core/webhookUrl.ts'
import { LITERALS } from '../webhooks/hostileUrls.ts'

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '2001:4860:4860::8888',
    '2003::1',
    '2400:cb00::1',
    '3ffe::1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  const literals = LITERALS.filter((host) => /^\[|^\d+\.\d+\.\d+\.\d+$/.test(host))
  it.each(literals.map((host) => new URL(`https://${host}/`).hostname.replace(/[[\]]/g, '')))(
    '%s is not public',
    (address) => expect(isPublicAddress(address)).toBe(false),
  )
})
