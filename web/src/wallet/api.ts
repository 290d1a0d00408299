import { basePath } from '../kit/mount.tsx'

export type Me = {
  readonly wallet_id: string
  readonly mode: 'live' | 'sandbox'
  readonly name: string
  readonly balances: readonly { readonly currency: string; readonly balance: string }[]
}

export type Activity = {
  readonly at: string
  readonly kind: 'payment' | 'donation' | 'refund' | 'top_up' | 'withdrawal'
  readonly amount: string
  readonly currency: string
  readonly reference: string
  readonly store: string | null
  readonly note: string | null
}

export type Preview = {
  readonly payment_id: string
  readonly qr_code: string
  readonly status: 'pending' | 'completed' | 'failed' | 'expired' | 'refunded'
  readonly amount: string
  readonly currency: string
  readonly request_amount: { amount: string; currency: string; conversion_rate: string }
  readonly store: { readonly name: string }
  readonly reference_note: string | null
  readonly products: readonly { name: string; quantity: number; price: string }[]
  readonly seconds_left: number
  readonly balance: string
  readonly reason:
    | 'paid_already'
    | 'payment_expired'
    | 'payment_not_pending'
    | 'store_suspended'
    | 'wallet_locked'
    | 'insufficient_balance'
    | null
}

export type Receipt = {
  readonly payment_id: string
  readonly amount: string
  readonly donation_amount: string
  readonly total: string
  readonly currency: string
  readonly store: { readonly name: string }
  readonly paid_at: string
}

/** Status 0: no answer came, and nobody knows whether the request arrived. */
export type Answer<Data> =
  | { readonly status: 200; readonly data: Data }
  | { readonly status: number; readonly data: null }

const PATIENCE_MS = 15_000

/** The session is a cookie, which only the browser handles: no token is ever in the page's hands. */
async function call<Data>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body, key, walletId }: { body?: unknown; key?: string; walletId?: string } = {},
): Promise<Answer<Data>> {
  try {
    const response = await fetch(`${basePath}/wallet/${path}`, {
      method,
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        // All tabs share one cookie: the server refuses what was meant for another wallet's.
        ...(walletId === undefined ? {} : { 'x-florin-session': walletId }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.status !== 200) return { status: response.status, data: null }
    return { status: 200, data: ((await response.json()) as { data: Data }).data }
  } catch {
    return { status: 0, data: null }
  }
}

export const signIn = (phone: string, pin: string) =>
  call<{ wallet: Me }>('POST', 'session', { body: { phone, pin, cookie: true } })

export const signInDemo = () => call<{ wallet: Me }>('POST', 'demo-session')

export const signOut = (walletId: string) => call<null>('DELETE', 'session', { walletId })

export const getMe = () => call<Me>('GET', 'me')

export const getActivity = (cursor: string | null) =>
  call<{ activity: Activity[]; next_cursor: string | null }>(
    'GET',
    `activity?limit=30${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
  )

export const getPreview = (code: string) => call<Preview>('GET', `payment/${code}`)

/** The gift goes as a number, which carries fifteen digits without loss: as many as amounts have. */
export const pay = (walletId: string, code: string, gift: string, key: string) =>
  call<Receipt>('POST', `payment/${code}/pay`, {
    body: { donation_amount: Number(gift) },
    key,
    walletId,
  })
