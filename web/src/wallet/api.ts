import type { PaymentPreview, Receipt, Wallet, WalletSession } from '@florin/contract/wallet.js'
import type {
  ChangedPin,
  ChangePinBody,
  WalletEvents,
  WalletSessions,
  WalletSettingsBody,
} from '@florin/contract/walletAccount.js'
import type {
  Activity,
  PaidStores,
  WalletPayment,
  WalletStatement,
} from '@florin/contract/walletActivity.js'
import type { LinkPreview } from '@florin/contract/walletLinks.js'
import type { Locale } from '@florin/shared/locales.js'
import { type RequestOptions, request } from '../kit/request.ts'

// Mobile networks are slower than those of shops and offices.
const TIMEOUT_MS = 15_000

/** The session is an HttpOnly cookie: the page never has a token. */
const send = <Data>(path: string, options: RequestOptions = {}) =>
  request<Data>(`wallet/${path}`, { ...options, timeoutMs: TIMEOUT_MS })

export const signIn = (phone: string, pin: string) =>
  send<WalletSession>('session', { method: 'POST', body: { phone, pin, cookie: true } })

export const activate = (code: string, pin: string, locale: Locale) =>
  send<WalletSession>('activate', { method: 'POST', body: { code, pin, locale, cookie: true } })

export const signUp = (person: { name: string; email: string; phone: string; locale: Locale }) =>
  send<null>('signup', { method: 'POST', body: person })

export const signInDemo = () => send<WalletSession>('demo-session', { method: 'POST' })

export const signOut = (walletId: string) =>
  send<null>('session', { method: 'DELETE', session: walletId })

export const getMe = () => send<Wallet>('me')

export function getActivity({
  storeId,
  cursor,
}: {
  storeId: number | null
  cursor: string | null
}) {
  const query = new URLSearchParams({ limit: '30' })
  if (storeId !== null) query.set('store_id', String(storeId))
  if (cursor !== null) query.set('cursor', cursor)
  return send<Activity>(`activity?${query}`)
}

export const getPayment = (paymentId: string) =>
  send<WalletPayment>(`payments/${encodeURIComponent(paymentId)}`)

export const getStores = () => send<PaidStores>('stores')

export const addFavourite = (walletId: string, storeId: number) =>
  send<PaidStores>(`favourites/${storeId}`, { method: 'PUT', session: walletId })

export const removeFavourite = (walletId: string, storeId: number) =>
  send<PaidStores>(`favourites/${storeId}`, { method: 'DELETE', session: walletId })

export const getStatement = (from: Date, to: Date) =>
  send<WalletStatement>(
    `statement?${new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })}`,
  )

export const getPreview = (code: string) => send<PaymentPreview>(`payment/${code}`)

/** What the payer agreed to. The PIN is null unless it was asked for. */
export type PayOrder = {
  readonly donation: string
  readonly pin: string | null
  /** Chosen by the payer of a link, in the currency of the link. */
  readonly amount: string | null
  /** The rate of a link that the payer saw. */
  readonly rate: string | null
}
export type PayRequest = PayOrder & { readonly key: string }

/** Amounts are sent as numbers. A double holds 15 digits exactly, which is as many as amounts have. */
const sendPayment = (
  path: string,
  walletId: string,
  { donation, pin, amount, rate, key }: PayRequest,
) =>
  send<Receipt>(path, {
    method: 'POST',
    body: {
      donation_amount: Number(donation),
      ...(pin !== null && { pin }),
      ...(amount !== null && { amount: Number(amount) }),
      ...(rate !== null && { conversion_rate: rate }),
    },
    key,
    session: walletId,
  })

export const pay = (walletId: string, code: string, payRequest: PayRequest) =>
  sendPayment(`payment/${code}/pay`, walletId, payRequest)

export const getLink = (linkId: string) => send<LinkPreview>(`link/${encodeURIComponent(linkId)}`)

export const payLink = (walletId: string, linkId: string, payRequest: PayRequest) =>
  sendPayment(`link/${encodeURIComponent(linkId)}/pay`, walletId, payRequest)

export const changeSettings = (walletId: string, body: WalletSettingsBody) =>
  send<Wallet>('me', { method: 'PATCH', body, session: walletId })

export const changePin = (walletId: string, body: ChangePinBody) =>
  send<ChangedPin>('pin', { method: 'POST', body, session: walletId })

export const getSessions = () => send<WalletSessions>('sessions')

export const endSession = (walletId: string, id: string) =>
  send<null>(`sessions/${id}`, { method: 'DELETE', session: walletId })

export const getEvents = () => send<WalletEvents>('security-events?limit=20')
