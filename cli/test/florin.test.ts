import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { setUpInstallation } from './installation.ts'
import { run } from './run.ts'

const { settings, florin, json, sql } = setUpInstallation()

it('runs operator commands and records their changes and exports in the audit log', async () => {
  const store = await json(
    'stores',
    'create',
    '--name',
    'Tea',
    '--currency',
    'EUR',
    '--fee-bps',
    '150',
    '--max-amount',
    '50',
  )
  expect(store).toMatchObject({
    id: 1,
    name: 'Tea',
    currency: 'EUR',
    fee_bps: 150,
    max_amount: '50.00',
  })
  const changed = await json(
    'stores',
    'change',
    '1',
    '--max-amount',
    'none',
    '--unique-references',
    'yes',
    '--time-zone',
    'Europe/Paris',
    '--refund-cap-cashier',
    '20',
    '--embed-origins',
    'https://tea.example,https://shop.example:8443',
  )
  expect(changed).toMatchObject({
    max_amount: null,
    unique_references: true,
    embed_origins: ['https://tea.example', 'https://shop.example:8443'],
    time_zone: 'Europe/Paris',
    refund_cap_cashier: '20.00',
  })
  const person = await json(
    'people',
    'add',
    '1',
    '--email',
    'Bo@shop.example',
    '--name',
    'Bo',
    '--role',
    'cashier',
  )
  expect(person).toMatchObject({ email: 'bo@shop.example', role: 'cashier', disabled_at: null })
  const renewed = await json('people', 'reset', person.person_id)
  expect([person.password, renewed.password]).toEqual(Array(2).fill(expect.stringMatching(/-/)))
  expect(renewed.password).not.toBe(person.password)
  expect((await json('people', 'disable', person.person_id)).disabled_at).toMatch(/^\d{4}-/)
  expect((await florin('people', 'list', '1')).stdout).toContain('bo@shop.example')
  const key = await json(
    'keys',
    'issue',
    '1',
    '--mode',
    'sandbox',
    '--scopes',
    'read,create',
    '--label',
    'till',
  )
  expect(key).toMatchObject({
    store_id: 1,
    mode: 'sandbox',
    scopes: ['read', 'create'],
    label: 'till',
  })
  expect(key.api_secret).toMatch(/^fls_sandbox_/)
  const rotated = await json('keys', 'rotate', key.api_key, '--overlap-seconds', '60')
  expect(rotated.api_secret).not.toBe(key.api_secret)
  expect((await json('keys', 'revoke', key.api_key)).revoked_at).toMatch(/^\d{4}-/)
  expect(await json('stores', 'fund', '1', '100.50', '--mode', 'live')).toMatchObject({
    balance: '100.50',
  })
  // The second command finds the payout of the first, as after a lost response.
  const payout = ['stores', 'payout', '1', '0.50', '--mode', 'live', '--idempotency-key', 'may']
  const paidOut = await json(...payout)
  expect(paidOut).toMatchObject({ balance: '100.00' })
  expect(await json(...payout)).toEqual(paidOut)
  const wallet = await json(
    'wallets',
    'create',
    '--mode',
    'live',
    '--name',
    'Ada',
    '--email',
    'a@example.com',
    '--phone',
    '+15550300001',
  )
  expect(wallet).toMatchObject({
    activated: false,
    activation: { code: expect.stringMatching(/^[0-9a-z]{4}(-[0-9a-z]{4}){2}$/), mailed_to: null },
  })
  const activation = await florin('wallets', 'activation', wallet.wallet_id, '--end-sessions')
  const [, code] = /^code +([0-9a-z-]{14})$/m.exec(activation.stdout)!
  expect(activation.stdout).toContain(`/wallet#activate/${code}\n`)
  expect(activation.stdout).toContain('█▀▀▀▀▀█')
  expect(await json('wallets', 'pin-limit', 'EUR', '40')).toEqual({
    limits: [{ currency: 'EUR', amount: '40.00' }],
  })
  expect((await florin('wallets', 'pin-limits')).stdout).toContain('40.00')
  expect(await json('wallets', 'pin-limit', 'EUR', 'none')).toEqual({ limits: [] })
  const imported = ['--name', 'Bo', '--email', 'b@example.com', '--phone', '+15550300002']
  const withPin = await json('wallets', 'create', '--mode', 'live', ...imported, '--pin', '4711')
  expect(withPin).toMatchObject({ activated: true, activation: null })
  expect(await json('wallets', 'top-up', wallet.wallet_id, '5', 'EUR')).toMatchObject({
    balance: '5.00',
  })
  const withdraw = ['wallets', 'withdraw', wallet.wallet_id, '2', 'EUR', '--idempotency-key', 'may']
  const withdrawn = await json(...withdraw)
  expect(withdrawn).toMatchObject({ balance: '3.00' })
  expect(await json(...withdraw)).toEqual(withdrawn)
  expect((await florin('wallets', 'unlock', wallet.wallet_id)).code).toBe(0)
  await sql(
    `insert into wallet_transfer (wallet_id, at, reference, kind, mode, debit, credit, amount, currency)
     select w.wallet_id, date_trunc('second', now()), 'many_' || n, 'top_up', 'live', 'a', 'b', 1, 'EUR'
     from wallet w, generate_series(1, 150) n
     where w.public_id = '${wallet.wallet_id}'`,
  )
  const exported = JSON.parse((await florin('wallets', 'export', wallet.wallet_id)).stdout)
  expect(exported).toMatchObject({ wallet: { name: 'Ada' }, next_cursor: null })
  // The API returns pages of a hundred.
  expect(exported.activity).toHaveLength(152)
  await sql(`delete from wallet_transfer where reference like 'many_%'`)
  expect(await json('rates', 'set', 'USD', 'EUR', '0.9223')).toMatchObject({ rate: '0.9223' })
  expect((await json('tokens', 'create', 'alice', '--scopes', 'read,money')).token).toMatch(/^flo_/)

  const log = await json('audit-log', '--limit', '100')
  const actions = log.entries.map((entry: { action: string }) => entry.action).reverse()
  expect(actions).toEqual([
    'store.create',
    'store.change',
    'person.create',
    'person.password',
    'person.change',
    'credential.issue',
    'credential.rotate',
    'credential.revoke',
    'store.funding',
    'store.payout',
    'wallet.create',
    'wallet.activation',
    'pin_limit.set',
    'pin_limit.set',
    'wallet.create',
    'wallet.top_up',
    'wallet.withdrawal',
    'wallet.unlock',
    'wallet.export',
    'rate.set',
    'token.create',
  ])
  expect(log.entries[0].actor).toMatch(/\(command line\)$/)
  // Runs many commands.
}, 120_000)

it('shows the next page of a history with the printed cursor', async () => {
  await florin('rates', 'set', 'GBP', 'EUR', '1.16')
  await florin('rates', 'set', 'GBP', 'EUR', '1.17')
  const { stdout } = await florin('rates', 'history', 'GBP', 'EUR', '--limit', '1')
  expect(stdout).toContain('1.1700')
  const [, cursor] = /^More: --cursor (\d+)$/m.exec(stdout)!
  const next = await json('rates', 'history', 'GBP', 'EUR', '--cursor', cursor!)
  expect(next).toMatchObject({ rates: [{ rate: '1.1600' }], next_cursor: null })
})

it('explains a refusal and exits with 1', async () => {
  const wrong = ['--name', 'X', '--currency', 'usd', '--fee-bps', 'many']
  const refused = await run(settings(), 'stores', 'create', ...wrong)
  expect(refused.code).toBe(1)
  expect(refused.stdout).toBe('')
  expect(refused.stderr).toBe(
    'Validation error\n' +
      '  - currency must be an ISO 4217 code in upper case, such as USD\n' +
      '  - fee_bps must be an integer\n',
  )
  expect((await florin('stores', 'get', '99')).stderr).toBe('Store not found\n')
})

it('refuses ids that would name another path', async () => {
  const refused = await florin('rates', 'history', '..', 'stores')
  expect(refused).toEqual({ code: 2, stdout: '', stderr: '".." is not an id or a currency.\n' })
  expect((await florin('stores', 'get', '.')).code).toBe(2)
})

it('does not take names of JavaScript for words such as none', async () => {
  expect(await json('stores', 'change', '1', '--domain', 'constructor')).toMatchObject({
    domain: 'constructor',
  })
})

it('lists security events, and refuses to audit an unknown payment', async () => {
  const issued = await json('keys', 'issue', '1', '--mode', 'live', '--label', 'Night')
  const { events } = await json('security-events', '--kind', 'api_key_created', '--store', '1')
  expect(events[0]).toMatchObject({
    kind: 'api_key_created',
    store_id: 1,
    details: { api_key: issued.api_key, label: 'Night', mode: 'live' },
  })
  expect((await florin('security-events', '--limit', '1')).stdout).toMatch(
    /api_key_created .* label Night/,
  )
  expect((await florin('security-events', '--kind', 'x')).code).toBe(2)
  expect((await florin('audit-payment', 'pay_x')).stderr).toBe('Payment not found\n')
})

it('reports an unreachable database', async () => {
  const env = { ...settings(), DATABASE_URL: 'postgres://x:x@127.0.0.1:1/x' }
  const unreachable = await run(env, 'audit', '--json')
  expect(unreachable).toMatchObject({ code: 3, stdout: '' })
  expect(JSON.parse(unreachable.stderr)).toEqual({
    message: expect.stringMatching(/^Cannot open the database: .*ECONNREFUSED/),
    exit_code: 3,
  })
})

it('prints its version, and reports wrong usage with exit code 2, as JSON with --json', async () => {
  expect((await run({}, '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const typo = await run({}, 'stores', 'lits')
  expect(typo).toMatchObject({ code: 2, stdout: '' })
  expect(typo.stderr).toContain('Did you mean list?')
  const wrong = await run({}, 'keys', 'issue', '1', '--mode', 'both', '--json')
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(JSON.parse(wrong.stderr)).toEqual({
    message: expect.stringContaining('Allowed choices are live, sandbox'),
    exit_code: 2,
  })
})

it('prints every problem of a refusal as JSON', async () => {
  const wrong = ['--name', 'X', '--currency', 'usd', '--fee-bps', 'many']
  const refused = await florin('stores', 'create', ...wrong, '--json')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(refused.stderr)).toEqual({
    message: 'Validation error',
    exit_code: 1,
    errors: [
      { field: 'currency', message: expect.stringContaining('ISO 4217') },
      { field: 'fee_bps', message: 'fee_bps must be an integer' },
    ],
  })
})

it('says that a migration waits for another transaction', async () => {
  await sql(`drop index delivery_failed; delete from schema_migration where name ~ '^038'`)
  const other = new pg.Client({ connectionString: settings().DATABASE_URL })
  await other.connect()
  await other.query('begin; lock table delivery in row exclusive mode')
  const migrated = florin('migrate', '--json')
  await vi.waitFor(() => expect(process.stderr.write).toHaveBeenCalled(), 10_000)
  await other.end()
  expect(await migrated).toEqual({
    code: 0,
    stdout: expect.stringContaining('"up_to_date": true'),
    stderr:
      'Migration 038_failed_deliveries.sql waits for another transaction, such as a dump or an audit…\n',
  })
})

it('reports that the database is up to date, and refuses to distribute it without Citus', async () => {
  const done = await florin('migrate', '--json')
  expect(JSON.parse(done.stdout)).toEqual({ up_to_date: true, distributed: false })
  expect(await florin('migrate', '--citus')).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'Citus is not installed in this database. Install it on every machine of the cluster and run there: ' +
      'create extension citus\n',
  })
})
