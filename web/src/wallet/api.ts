import { type RequestOptions, request } from '../kit/request.ts'
import type { Activity, Me, Preview, Receipt } from './types.ts'

// Mobile networks are slower than those of shops and offices.
const TIMEOUT_MS = 15_000

/** The session is an HttpOnly cookie: the page never has a token. */
const send = <Data>(path: string, options: RequestOptions = {}) =>
  request<Data>(`wallet/${path}`, { ...options, timeoutMs: TIMEOUT_MS })

export const signIn = (phone: string, pin: string) =>
  send<{ wallet: Me }>('session', { method: 'POST', body: { phone, pin, cookie: true } })

export const signInDemo = () => send<{ wallet: Me }>('demo-session', { method: 'POST' })

export const signOut = (walletId: string) =>
  send<null>('session', { method: 'DELETE', session: walletId })

export const getMe = () => send<Me>('me')

export const getActivity = (cursor: string | null) =>
  send<{ activity: Activity[]; next_cursor: string | null }>(
    `activity?limit=30${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
  )

export const getPreview = (code: string) => send<Preview>(`payment/${code}`)

/** The gift is a number. A double holds 15 digits exactly, which is as many as amounts have. */
export const pay = (walletId: string, code: string, gift: string, key: string) =>
  send<Receipt>(`payment/${code}/pay`, {
    method: 'POST',
    body: { donation_amount: Number(gift) },
    key,
    session: walletId,
  })
