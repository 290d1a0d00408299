import { tokensOf } from '@florin/shared/highlight.js'
import { indentJson } from './indentJson.ts'

/** Sends a request and returns elements that show the response. `onData` gets the data of a JSON response. */
export async function fetchResponseView(
  request: Request,
  onData: (data: unknown) => void,
): Promise<HTMLElement[]> {
  const started = performance.now()
  try {
    const response = await fetch(request)
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    const body = await bodyView(response, type, onData)
    const duration = Math.round(performance.now() - started)
    return [headView(response, `${type} · ${duration} ms`), ...body]
  } catch {
    return [
      element(
        'p',
        'field-problem',
        'No response. Check your connection and send the request again.',
      ),
    ]
  }
}

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

async function bodyView(
  response: Response,
  type: string,
  onData: (data: unknown) => void,
): Promise<HTMLElement[]> {
  if (type.startsWith('image/')) {
    const image = document.createElement('img')
    image.src = URL.createObjectURL(await response.blob())
    image.alt = 'The image of the response'
    return [image]
  }
  const text = await response.text()
  const code = document.createElement('code')
  if (type === 'application/json') {
    onData((JSON.parse(text) as { data?: unknown }).data)
    code.append(...tokensOf(indentJson(text)).map(tokenView))
  } else code.append(text)
  const pre = element('pre', 'code')
  pre.tabIndex = 0
  pre.append(code)
  return [pre]
}

const tokenView = ({ kind, text }: ReturnType<typeof tokensOf>[number]): Node =>
  kind === null ? document.createTextNode(text) : element('span', `token-${kind}`, text)

function element(name: string, className: string, text = ''): HTMLElement {
  const created = document.createElement(name)
  created.className = className
  created.textContent = text
  return created
}
