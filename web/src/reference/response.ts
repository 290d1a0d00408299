import { tokensOf } from '@florin/shared/highlight.js'
import { indentJson } from './indentJson.ts'

/** Sends a request and returns elements that show the response. `onData` gets the data of a JSON response. */
export async function fetchResponseView(
  request: Request,
  onData: (data: unknown) => void,
): Promise<HTMLElement[]> {
  const startedMs = performance.now()
  const response = await fetch(request).catch(() => null)
  if (response === null) {
    return [problemView('No response. Check your connection and send the request again.')]
  }
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const body = await readBody(response, type)
  const durationMs = Math.round(performance.now() - startedMs)
  return [headView(response, `${type} · ${durationMs} ms`), ...bodyView(body, type, onData)]
}

/** Returns null if the connection is lost before the end of the body. */
const readBody = (response: Response, type: string): Promise<Blob | string | null> =>
  (type.startsWith('image/') ? response.blob() : response.text()).catch(() => null)

function headView({ status, ok, statusText }: Response, facts: string): HTMLElement {
  const head = element('p', 'example-head')
  head.append(
    element(
      'span',
      ok ? 'response-status' : 'response-status response-refused',
      `${status} ${statusText}`,
    ),
    element('span', 'soft', facts),
  )
  return head
}

function bodyView(
  body: Blob | string | null,
  type: string,
  onData: (data: unknown) => void,
): HTMLElement[] {
  if (body === null) {
    return [
      problemView('The response is incomplete. Check your connection and send the request again.'),
    ]
  }
  if (body instanceof Blob) {
    const image = document.createElement('img')
    image.src = URL.createObjectURL(body)
    image.alt = 'The image of the response'
    return [image]
  }
  if (type !== 'application/json') return [codeView([body])]
  let json: { readonly data?: unknown } | null
  try {
    json = JSON.parse(body)
  } catch {
    return [problemView('The body is not valid JSON.'), codeView([body])]
  }
  onData(json?.data)
  return [codeView(tokensOf(indentJson(body)).map(tokenView))]
}

const problemView = (text: string) => element('p', 'field-problem', text)

function codeView(content: readonly (Node | string)[]): HTMLElement {
  const code = document.createElement('code')
  code.append(...content)
  const pre = element('pre', 'code')
  pre.tabIndex = 0
  pre.append(code)
  return pre
}

const tokenView = ({ kind, text }: ReturnType<typeof tokensOf>[number]): Node =>
  kind === null ? document.createTextNode(text) : element('span', `token-${kind}`, text)

function element(name: string, className: string, text = ''): HTMLElement {
  const created = document.createElement(name)
  created.className = className
  created.textContent = text
  return created
}
