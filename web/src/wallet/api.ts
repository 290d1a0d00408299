import type {
  Activity,
  PaymentPreview,
  Receipt,
  Wallet,
  WalletSession,
} from '@florin/contract/wallet.js'
import { type RequestOptions, request } from '../kit/request.ts'

// Mobile networks are slower than those of shops and offices.
const TIMEOUT_MS = 15_000

/** The session is an HttpOnly cookie: the page never has a token. */
const send = <Data>(path: string, options: RequestOptions = {}) =>
  request<Data>(`wallet/${path}`, { ...options, timeoutMs: TIMEOUT_MS })

export const signIn = (phone: string, pin: string) =>
  send<WalletSession>('session', { method: 'POST', body: { phone, pin, cookie: true } })

export const signInDemo = () => send<WalletSession>('demo-session', { method: 'POST' })

export const signOut = (walletId: string) =>
  send<null>('session', { method: 'DELETE', session: walletId })

export const getMe = () => send<Wallet>('me')

export const getActivity = (cursor: string | null) =>
  send<Activity>(
    `activity?limit=30${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
  )

export const getPreview = (code: string) => send<PaymentPreview>(`payment/${code}`)

/** The gift is a number. A double holds 15 digits exactly, which is as many as amounts have. */
export const pay = (walletId: string, code: string, gift: string, key: string) =>
  send<Receipt>(`payment/${code}/pay`, {
    method: 'POST',
    body: { donation_amount: Number(gift) },
    key,
    session: walletId,
  })
