import type { Node } from './anotherNode.ts'
import type { Answer, Headers, TestService, TestWallet } from './testService.ts'

export const createLink = (
  t: TestService,
  keys: Headers,
  body: Record<string, unknown> = {},
  headers: Headers = {},
): Promise<Answer> =>
  t.call('POST', '/merchant/links', { ...keys, ...headers }, { title: 'Coffee', ...body })

/** The id of a new link. */
export async function newLink(
  t: TestService,
  keys: Headers,
  body: Record<string, unknown> = {},
): Promise<string> {
  const { status, text, body: answer } = await createLink(t, keys, body)
  if (status !== 200) throw new Error(`creating a link returned ${status}: ${text}`)
  return answer.data.link_id
}

export const changeLink = (t: TestService, keys: Headers, id: string, body: object) =>
  t.call('PATCH', `/merchant/links/${id}`, keys, body)

export const payLink = (
  t: Pick<Node, 'call'>,
  { headers }: Pick<TestWallet, 'headers'>,
  id: string,
  body: object = {},
  more: Headers = {},
): Promise<Answer> => t.call('POST', `/wallet/link/${id}/pay`, { ...headers, ...more }, body)

export const previewLink = (t: TestService, { headers }: TestWallet, id: string) =>
  t.call('GET', `/wallet/link/${id}`, headers)
