import { afterEach, beforeEach, expect, it, vi } from 'vitest'

vi.mock('@simplewebauthn/browser', () => {
  throw new Error('The script did not load')
})

beforeEach(() => void vi.stubGlobal('document', { documentElement: { dataset: {} } }))
afterEach(() => void vi.unstubAllGlobals())

it('reports a connection problem if the script for passkeys does not load', async () => {
  const { createPasskey, sendPasskey } = await import('../src/kit/account/passkey.ts')
  const request = vi.fn().mockResolvedValue({ ok: true, data: { options: {} }, serverMs: 0 })
  const paths = { optionsPath: 'session/passkey/options', path: 'session/passkey' }
  const failed = { ok: false, problem: expect.objectContaining({ status: 0 }) }
  expect(await sendPasskey(request, paths)).toEqual(failed)
  expect(await createPasskey(request, 'Work laptop')).toEqual(failed)
})
