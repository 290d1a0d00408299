import { expect } from 'vitest'
import type { Node } from './anotherNode.ts'
import { readWalletBalance } from './merchantCalls.ts'
import type { Headers, TestResponse, TestService, TestWallet } from './testService.ts'

export const createLink = (
  t: TestService,
  keys: Headers,
  body: Record<string, unknown> = {},
  headers: Headers = {},
): Promise<TestResponse> =>
  t.call('POST', '/merchant/links', { ...keys, ...headers }, { title: 'Coffee', ...body })

/** Creates a link, and returns its id. */
export async function newLink(
  t: TestService,
  keys: Headers,
  body: Record<string, unknown> = {},
): Promise<string> {
  const { status, text, body: response } = await createLink(t, keys, body)
  if (status !== 200) throw new Error(`Creating a link returned ${status}: ${text}`)
  return response.data.link_id
}

export const changeLink = (t: TestService, keys: Headers, id: string, body: object) =>
  t.call('PATCH', `/merchant/links/${id}`, keys, body)

export const payLink = (
  t: Pick<Node, 'call'>,
  { headers }: Pick<TestWallet, 'headers'>,
  id: string,
  body: object = {},
  extraHeaders: Headers = {},
): Promise<TestResponse> =>
  t.call('POST', `/wallet/link/${id}/pay`, { ...headers, ...extraHeaders }, body)

export const previewLink = (t: TestService, { headers }: TestWallet, id: string) =>
  t.call('GET', `/wallet/link/${id}`, headers)

/** Counts the rows of each table that paying a link could add rows to. */
async function countRows(t: TestService): Promise<Record<string, number>> {
  const tables = [
    'payment',
    'event',
    'transfer',
    'wallet_transfer',
    'wallet_failure',
    'usage',
    'wallet_idempotency',
    'delivery',
    'mail',
    'audit_log',
  ]
  const counts = tables.map(async (table) => {
    const [row] = await t.database.query<{ n: number }>(`select count(*)::int as n from ${table}`)
    return [table, row!.n] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

export async function expectNothingStored(
  t: TestService,
  wallet: TestWallet,
  act: () => Promise<unknown>,
): Promise<void> {
  const before = [await countRows(t), await readWalletBalance(t, wallet)]
  await act()
  expect([await countRows(t), await readWalletBalance(t, wallet)]).toEqual(before)
}
