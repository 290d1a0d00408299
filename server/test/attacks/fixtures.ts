import { randomBytes } from 'node:crypto'
import { ROLES } from '@florin/contract/values.js'
import { expect } from 'vitest'
import {
  type Mode,
  mintLinkId,
  mintPaymentId,
  mintReference,
  mintWalletId,
} from '../../src/core/ids.ts'
import type { Role } from '../../src/core/person.ts'
import { formatQrCode, mintQrNumber } from '../../src/core/qr.ts'
import { newLink } from '../setup/links.ts'
import { createPaidPayment, sandboxPay } from '../setup/merchantCalls.ts'
import { createOperator } from '../setup/operators.ts'
import { createPerson, PUBLIC_ORIGIN, type TestPerson } from '../setup/people.ts'
import type { Headers, TestService, TestStore, TestWallet } from '../setup/testService.ts'

/** A store with everything that belongs to it. Its texts contain its name, so that a leak is visible. */
export type StoreFixture = TestStore & {
  readonly name: string
  readonly people: Record<Role, TestPerson>
  readonly paid: Record<Mode, { payment_id: string; qr_code: string }>
  readonly pending: Record<Mode, { payment_id: string; qr_code: string }>
  readonly links: Record<Mode, string>
}

/** Values by the name of their path parameter. */
export type PathValues = Record<string, string>

export async function createStoreFixture(
  t: TestService,
  name: string,
  payer: TestWallet,
): Promise<StoreFixture> {
  const shop = await t.createStore({ name: `${name} Store`, refundCapCashierMinor: null })
  await t.fund(shop.store, 'live', '50.00')
  const people = {} as Record<Role, TestPerson>
  for (const role of ROLES) people[role] = await createPerson(t, shop.store, role)
  await t.database.transaction((tx) =>
    tx.execute(`update person set name = $2 || ' ' || role where store_id = $1`, [
      shop.store.storeId,
      name,
    ]),
  )
  const order = {
    client: { name: `${name} Client`, email: `${name}@client.example`, phone: '+15550001' },
    payload: { from: name },
    reference_id: `${name}-1`,
    reference_note: `${name} note`,
    webhook_url: `https://${name.toLowerCase()}.example/hook`,
  }
  const live = await createPaidPayment(t, shop.live, payer, order)
  const sandbox = await t.createPayment(shop.sandbox, order)
  await sandboxPay(t, shop.sandbox, sandbox.payment_id)
  const pending = {
    live: await t.createPayment(shop.live, order),
    sandbox: await t.createPayment(shop.sandbox, order),
  }
  const link = { title: `${name} link`, amount: 3, currency: 'USD' }
  const links = {
    live: await newLink(t, shop.live, link),
    sandbox: await newLink(t, shop.sandbox, link),
  }
  return { ...shop, name, people, paid: { live, sandbox }, pending, links }
}

/** Texts that belong to the store. */
export const textsOf = ({
  name,
  live,
  sandbox,
  paid,
  pending,
  links,
  people,
}: StoreFixture): string[] => [
  // The first word of the store's name.
  name,
  live['api-key']!,
  sandbox['api-key']!,
  ...Object.values(links),
  ...[paid, pending].flatMap((paymentsByMode) =>
    Object.values(paymentsByMode).flatMap((payment) => [payment.payment_id, payment.qr_code]),
  ),
  ...Object.values(people).flatMap((person) => [person.personId, person.email]),
]

/** Makes a top-up that waits for a second operator. */
export async function requestApproval(t: TestService, { wallet }: TestWallet): Promise<void> {
  await t.call('PUT', '/operator/approval-limits', t.operator, { currency: 'JPY', amount: '0' })
  const body = { currency: 'JPY', amount: '1' }
  const url = `/operator/wallets/${wallet.publicId}/top-up`
  expect((await t.call('POST', url, t.operator, body)).status).toBe(202)
}

/** Values of path parameters. All exist, except for the passkey, the email and the file. */
export async function existingValues(
  t: TestService,
  target: StoreFixture,
  { mode, wallet, pending = false }: { mode: Mode; wallet: TestWallet; pending?: boolean },
): Promise<PathValues> {
  const [session] = await t.database.query<{ id: string }>(
    'select session_id as id from person_session where person_id = $1',
    [target.people.owner.personId],
  )
  const [operator] = await t.database.query<{ id: string }>(
    'select operator_id as id from operator limit 1',
  )
  const [token] = await t.database.query<{ id: string }>(
    'select token_id as id from operator_token where revoked_at is null limit 1',
  )
  const [approval] = await t.database.query<{ id: string }>(
    'select approval_id as id from approval limit 1',
  )
  const payment = (pending ? target.pending : target.paid)[mode]
  return {
    mode,
    paymentId: payment.payment_id,
    qrCode: target.pending[mode].qr_code,
    apiKey: target[mode]['api-key']!,
    storeId: String(target.store.storeId),
    personId: target.people.cashier.personId,
    sessionId: session!.id,
    operatorId: operator!.id,
    passkeyId: mintReference('psk_', new Date()),
    mailId: mintReference('mail_', new Date()),
    linkId: target.links[mode],
    walletId: wallet.wallet.publicId,
    tokenId: token!.id,
    approvalId: approval!.id,
    from: 'EUR',
    to: 'USD',
    file: 'x.png',
  }
}

/** Values of the same form that don't exist. */
export function unknownValues({ store }: StoreFixture, mode: Mode): PathValues {
  const now = new Date()
  return {
    mode,
    paymentId: mintPaymentId(now, store.storeId),
    qrCode: formatQrCode(mode, store.storeId, mintQrNumber(now)),
    apiKey: `flk_${mode}_${randomBytes(15).toString('base64url')}`,
    storeId: '9999998',
    personId: mintReference('prs_', now),
    sessionId: mintReference('ses_', now),
    operatorId: mintReference('opr_', now),
    passkeyId: mintReference('psk_', now),
    mailId: mintReference('mail_', now),
    linkId: mintLinkId(now, store.storeId),
    walletId: mintWalletId(9_999_998 as never),
    tokenId: mintReference('tok_', now),
    approvalId: mintReference('apr_', now),
    from: 'EUR',
    to: 'JPY',
    file: 'y.png',
  }
}

/** Callers without credentials, or with invalid, revoked or expired ones. */
export async function invalidCredentials(
  t: TestService,
  target: StoreFixture,
): Promise<Record<string, Headers>> {
  const change = (sql: string, values: unknown[]) =>
    t.database.transaction((tx) => tx.execute(sql, values))
  const [revoked, expired] = [
    await t.issue(target.store, 'live'),
    await t.issue(target.store, 'live'),
  ]
  await t.call('DELETE', `/operator/credentials/${revoked['api-key']}`, t.operator)
  await change(`update credential set expires_at = now() where api_key = $1`, [expired['api-key']])
  const disabledPerson = await createPerson(t, target.store)
  const expiredPerson = await createPerson(t, target.store)
  await t.call('PATCH', `/operator/people/${disabledPerson.personId}`, t.operator, {
    disabled: true,
  })
  await change('update person_session set expires_at = now() where person_id = $1', [
    expiredPerson.personId,
  ])
  const expiredWallet = await t.createWallet()
  await change('update wallet_session set expires_at = now() where wallet_id = $1', [
    expiredWallet.wallet.walletId,
  ])
  const [disabledOperator, expiredOperator] = [await createOperator(t), await createOperator(t)]
  await t.call('PATCH', `/operator/operators/${disabledOperator.operatorId}`, t.operator, {
    disabled: true,
  })
  await change('update operator_session set expires_at = now() where operator_id = $1', [
    expiredOperator.operatorId,
  ])
  const token = await t.call('POST', '/operator/tokens', t.operator, {
    label: 'gone',
    scopes: ['admin'],
  })
  await t.call('DELETE', `/operator/tokens/${token.body.data.token_id}`, t.operator)
  const cookies = ['person', 'wallet', 'operator'].map((kind) => `__Host-florin_${kind}=`)
  return {
    none: {},
    garbage: {
      'api-key': '\u00ff\u00fe',
      'api-secret': "' or '1'='1",
      origin: PUBLIC_ORIGIN,
      authorization: 'Bearer ../../etc/passwd',
      cookie: cookies.join('x; '),
    },
    'well-formed but invalid credentials': {
      'api-key': `flk_live_${'a'.repeat(20)}`,
      'api-secret': `fls_live_${'a'.repeat(43)}`,
      authorization: `Bearer flw_1_${'a'.repeat(43)}`,
      origin: PUBLIC_ORIGIN,
      cookie: `${cookies[0]}flp_${'a'.repeat(43)}; ${cookies[2]}flc_${'a'.repeat(43)}`,
    },
    'a revoked key': revoked,
    'an expired key': expired,
    'a live key with the secret of the sandbox': {
      'api-key': target.live['api-key']!,
      'api-secret': target.sandbox['api-secret']!,
    },
    'a disabled person': disabledPerson.headers,
    'an expired session of a person': expiredPerson.headers,
    'an expired session of a wallet': expiredWallet.headers,
    'a disabled operator': disabledOperator.headers,
    'an expired session of an operator': expiredOperator.headers,
    'a revoked operator token': { authorization: `Bearer ${token.body.data.token}` },
  }
}

/** Valid tokens of a person and a wallet, and a valid API secret, each sent in place of other kinds. */
export function tokensOfOtherKinds(
  target: StoreFixture,
  wallet: TestWallet,
): Record<string, Headers> {
  const person = target.people.owner.headers.cookie!.split('=')[1]!
  const payer = wallet.headers.authorization!.split(' ')[1]!
  const { 'api-key': key, 'api-secret': secret } = target.live
  return {
    "a person's token in other places": {
      'api-key': person,
      'api-secret': person,
      authorization: `Bearer ${person}`,
      origin: PUBLIC_ORIGIN,
      cookie: `__Host-florin_wallet=${person}; __Host-florin_operator=${person}`,
    },
    'a secret in other places': {
      authorization: `Bearer ${secret}`,
      origin: PUBLIC_ORIGIN,
      cookie: ['person', 'wallet', 'operator']
        .map((kind) => `__Host-florin_${kind}=${secret}`)
        .join('; '),
    },
    "a payer's token in other places": {
      'api-key': key!,
      'api-secret': payer,
      origin: PUBLIC_ORIGIN,
      cookie: `__Host-florin_person=${payer}; __Host-florin_operator=${payer}`,
    },
  }
}

/** A body that passes the schema of each route with a resource id, so that the ownership check refuses the request. */
export const bodyFor = (operationId: string) => BODIES[operationId] ?? {}
const BODIES: Record<string, object> = {
  changeInTeam: { name: 'Taken' },
  mailReceipt: { email: 'payer@example.com' },
  mailPaymentRequest: { email: 'payer@example.com' },
}
