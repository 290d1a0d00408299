import { parseJsonExactly, stringifyExactly } from './json.ts'

/** What stands in the place of a payer who was erased, wherever a payer is shown. */
export const ERASED_PAYER = { name: 'Erased', email: '', phone: '' } as const

/** An event without a body tells what happened and when, and cannot be sent again. */
export const EMPTIED_BODY = ''
export const isEmptied = ({ body }: { readonly body: string }) => body === EMPTIED_BODY

type Told = { data: Record<string, unknown> }

/** A frozen body as it would have been written about nobody; its order and all else stay. */
const rewritten = (body: string, change: (data: Told['data']) => Told['data']): string => {
  if (isEmptied({ body })) return body
  const told = parseJsonExactly(body) as Told
  return stringifyExactly({ ...told, data: { ...told.data, ...change(told.data) } })
}

export const withoutPayer = (body: string): string =>
  rewritten(body, ({ user }) => ({ user: user && { ...(user as object), ...ERASED_PAYER } }))

/** The payload and the note are the merchant's own words, which may name the client as well. */
export const withoutClient = (body: string): string =>
  rewritten(body, ({ reference }) => ({
    client: null,
    payload: null,
    reference: { ...(reference as object), note: null },
  }))

/** Whom a merchant calls its client: by what both sides know, an address or a number. */
export type ClientSought = { readonly email: string | null; readonly phone: string | null }

/** Spaces, brackets and a plus sign make no other number. */
export const phoneDigits = (phone: string): string => phone.replaceAll(/\D/g, '')
