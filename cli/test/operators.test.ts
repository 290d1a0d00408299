import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { expect, it, vi } from 'vitest'
import { setUpInstallation } from './installation.ts'

const { florin, json } = setUpInstallation()

it('adds the first operator only as an admin, and keeps the role of the last admin', async () => {
  const add = ['operators', 'add', '--name', 'Ada', '--email', 'ada@example.com', '--role']
  const refused = await florin(...add, 'support')
  expect(refused).toMatchObject({ code: 1, stderr: 'The first operator must be an admin\n' })
  const { operator_id: id } = await json(...add, 'admin')
  const changed = await florin('operators', 'change', id, '--role', 'auditor')
  expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('last admin') })
  expect(await json('operators', 'change', id, '--name', 'Ada L')).toMatchObject({
    name: 'Ada L',
    role: 'admin',
  })
})

it('creates, lists and revokes tokens', async () => {
  const made = await json('tokens', 'create', 'nightly', '--scopes', 'read,money')
  expect(made).toMatchObject({
    label: 'nightly',
    owner: 'command line',
    scopes: ['read', 'money'],
    token: expect.stringMatching(/^flo_/),
  })
  const { stdout } = await florin('tokens', 'list', '--state', 'active')
  expect(stdout.split('\n')[0]).toMatch(/^token_id +label +owner +scopes +state +expires_at/)
  expect(stdout).toContain(made.token_id)
  expect(stdout).not.toContain(made.token)
  expect(await json('tokens', 'revoke', made.token_id)).toMatchObject({ state: 'revoked' })
  const refused = await florin('tokens', 'create', 'all', '--scopes', 'everything')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('scopes.0 must be') })
})

it('sets approval limits, and lists and denies pending approvals', async () => {
  const limits = await json('approvals', 'set-limit', 'EUR', '50')
  expect(limits).toEqual({ limits: [{ currency: 'EUR', amount: '50.00' }] })
  await json('stores', 'create', '--name', 'Tea', '--currency', 'EUR')
  const requested = await json('stores', 'fund', '1', '60', '--mode', 'live')
  expect(requested).toMatchObject({ state: 'pending', amount: '60.00', kind: 'funding' })
  const readable = await florin('stores', 'fund', '1', '70', '--mode', 'live')
  expect(readable).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing has moved yet'),
  })
  const { stdout } = await florin('approvals', 'list', '--state', 'pending')
  expect(stdout).toContain(requested.approval_id)
  expect(stdout).not.toContain('Nothing has moved yet')
  expect(await json('approvals', 'deny', requested.approval_id)).toMatchObject({ state: 'denied' })
  expect(await json('approvals', 'set-limit', 'EUR', 'none')).toEqual({ limits: [] })
})

it('refuses anything but on or off for the second factor', async () => {
  const refused = await florin('operators', 'require-factor', 'ON')
  expect(refused).toMatchObject({ code: 2, stderr: 'Give on or off.\n' })
})

it('names a user without an account by number', async () => {
  const userInfo = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  })
  syncBuiltinESMExports()
  try {
    await json('rates', 'set', 'USD', 'EUR', '0.9')
  } finally {
    userInfo.mockRestore()
    syncBuiltinESMExports()
  }
  const { entries } = await json('audit-log', '--action', 'rate.set')
  expect(entries[0].actor).toMatch(/^user \d+ \(command line\)$/)
})
