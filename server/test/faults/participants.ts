import type { Demo } from '../../src/demo.ts'
import type { Headers } from '../setup/testService.ts'

const EXTRA_SHOPS = 2
const EXTRA_PAYERS = 2
const REQUEST_TIMEOUT_MS = 20_000
const FUNDS = '1000000'

export type Payer = { readonly headers: Headers; readonly walletId: number }

/** The participants of a fault test: keys of several stores, and signed-in wallets. */
export type Participants = { readonly shops: readonly Headers[]; readonly payers: readonly Payer[] }

// biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of its response.
export type Reply = { readonly status: number; readonly headers: globalThis.Headers; body: any }

/** Returns null if no readable response arrives: the outcome is unknown. */
export async function send(
  origin: string,
  { method = 'POST', path, headers, body = {} }: Request,
): Promise<Reply | null> {
  try {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const { status } = response
    return { status, headers: response.headers, body: await response.json() }
  } catch {
    return null
  }
}

export type Request = {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers?: Headers
  readonly body?: unknown
}

/** The participants of the demo and some more, created by an operator before the faults start. */
export async function createParticipants(origin: string, demo: Demo): Promise<Participants> {
  const operator = { authorization: `Bearer ${demo.operator.token}` }
  async function post(path: string, body: unknown, headers: Headers = operator) {
    const reply = await send(origin, { path, headers, body })
    if (reply?.status === 200) return reply.body.data
    throw new Error(`${path}: ${reply?.status} ${JSON.stringify(reply?.body)}`)
  }
  async function createShop(number: number): Promise<Headers> {
    const store = await post('/operator/stores', {
      name: `Shop ${number}`,
      currency: 'USD',
      fee_bps: 100,
      fee_fixed: '0.02',
      refund_fee: '0.05',
    })
    await post(`/operator/stores/${store.id}/fund`, { mode: 'live', amount: FUNDS })
    return keysOf(await post(`/operator/stores/${store.id}/credentials`, { mode: 'live' }))
  }
  async function createWallet(number: number) {
    const phone = `+1555020${String(number).padStart(4, '0')}`
    const profile = {
      name: `Payer ${number}`,
      email: `payer${number}@example.com`,
      phone,
      pin: '2468',
    }
    const created = await post('/operator/wallets', { mode: 'live', ...profile })
    const funds = { currency: 'USD', amount: FUNDS }
    await post(`/operator/wallets/${created.wallet_id}/top-up`, funds)
    return profile
  }
  async function signIn({ phone, pin }: { phone: string; pin: string }): Promise<Payer> {
    const session = await post('/wallet/session', { phone, pin }, {})
    return {
      headers: { authorization: `Bearer ${session.token}` },
      walletId: session.wallet.id,
    }
  }
  const shops = [keysOf(demo.live)]
  for (let number = 1; number <= EXTRA_SHOPS; number++) shops.push(await createShop(number))
  const wallets: { phone: string; pin: string }[] = demo.wallets.filter(
    ({ mode }) => mode === 'live',
  )
  for (let number = 1; number <= EXTRA_PAYERS; number++) wallets.push(await createWallet(number))
  return { shops, payers: await Promise.all(wallets.map(signIn)) }
}

const keysOf = ({ api_key, api_secret }: { api_key: string; api_secret: string }): Headers => ({
  'api-key': api_key,
  'api-secret': api_secret,
})
