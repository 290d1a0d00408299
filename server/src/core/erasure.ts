import { parseJsonExactly, stringifyExactly } from './json.ts'

/** Shown instead of an erased payer. */
export const ERASED_PAYER = { name: 'Erased', email: '', phone: '' } as const

/** An event without a body still has its type and time. It can't be resent. */
export const EMPTIED_BODY = ''
export const isEmptied = ({ body }: { readonly body: string | null }) => body === EMPTIED_BODY

type EventBody = { data: Record<string, unknown> }

/** Changes some fields of a body. The order of the fields and all other values stay. */
const changeBody = (body: string, change: (data: EventBody['data']) => EventBody['data']) => {
  if (isEmptied({ body })) return body
  const parsed = parseJsonExactly(body) as EventBody
  return stringifyExactly({ ...parsed, data: { ...parsed.data, ...change(parsed.data) } })
}

export const withoutPayer = (body: string): string =>
  changeBody(body, ({ user }) => ({ user: user && { ...(user as object), ...ERASED_PAYER } }))

/** Also removes the payload and the note: the merchant wrote them, and they may name the client. */
export const withoutClient = (body: string): string =>
  changeBody(body, ({ reference }) => ({
    client: null,
    payload: null,
    reference: { ...(reference as object), note: null },
  }))

/** Finds a client by email address or phone number. */
export type ClientFilter = { readonly email: string | null; readonly phone: string | null }

export const phoneDigits = (phone: string): string => phone.replaceAll(/\D/g, '')
