import { basePath } from '../kit/request.ts'
import { fetchResponseView } from './response.ts'

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The visitor's key and the ids of the last responses, by the name of their input. Never stored: a reload forgets them. */
const remembered = new Map<string, string>()

/** `payment_id` of a response is `paymentId` in a path. */
const inputName = (field: string) =>
  field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const inputsIn = (root: ParentNode) => [
  ...root.querySelectorAll<Input>('.try :is(input, select, textarea)'),
]

/** Enables the forms of `root`. */
export function enableTryIt(root: ParentNode): void {
  for (const details of root.querySelectorAll<HTMLElement>('.try')) {
    details.hidden = false
    const form = details.querySelector('form')!
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form)
    })
    form.addEventListener('input', (event) => {
      const input = event.target as Input
      showProblem(input, null)
      if (input.name === 'api-key' || input.name === 'api-secret') remember(input.name, input.value)
    })
  }
  fill(inputsIn(root))
}

/** Remembers a value, and fills it into the other forms. */
function remember(name: string, value: string): void {
  remembered.set(name, value.trim())
  fill(
    inputsIn(document).filter((input) => input.name === name && input !== document.activeElement),
  )
}

function fill(inputs: readonly Input[]): void {
  for (const input of inputs) {
    const value = remembered.get(input.name)
    if (value !== undefined) input.value = value
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const inputs = [...form.querySelectorAll<Input>('input, select, textarea')]
  const output = form.querySelector<HTMLElement>('.try-response')!
  output.hidden = true
  for (const input of inputs) showProblem(input, problemOf(input))
  const invalid = inputs.find((input) => input.getAttribute('aria-invalid') === 'true')
  if (invalid !== undefined) return invalid.focus()
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')!
  if (button.dataset.pending !== undefined) return
  button.dataset.pending = ''
  const shown = await fetchResponseView(createRequest(form, inputs), rememberIds)
  delete button.dataset.pending
  output.replaceChildren(...shown)
  output.hidden = false
  document.querySelector('[role=status]')!.textContent = shown[0]!.textContent
}

function problemOf(input: Input): string | null {
  const value = input.value.trim()
  if (input.name === 'api-key') {
    if (value.startsWith('flk_live_'))
      return 'This is a live key. Use a sandbox key, so that no real money moves.'
    if (!value.startsWith('flk_sandbox_'))
      return 'Enter a sandbox key. It begins with flk_sandbox_.'
  }
  if (input.name === 'api-secret' && value === '') return 'Enter the secret of the key.'
  return input.dataset.required !== undefined && value === '' ? `Enter ${input.name}.` : null
}

function showProblem(input: Input, problem: string | null): void {
  const shown = input.parentElement!.querySelector<HTMLElement>('.field-problem')!
  shown.hidden = problem === null
  shown.textContent = problem
  if (problem === null) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

function createRequest(form: HTMLFormElement, inputs: readonly Input[]): Request {
  const { method, path } = form.dataset
  const headers = new Headers()
  const query = new URLSearchParams()
  let url = path!
  let body: string | null = null
  for (const { name, value: typed, dataset } of inputs) {
    const value = typed.trim()
    if (name === 'body') {
      body = value
      headers.set('content-type', 'application/json')
    } else if (dataset.in === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value))
    else if (value === '') continue
    else if (dataset.in === 'query') query.set(name, value)
    else headers.set(name, value)
  }
  const search = query.toString() === '' ? '' : `?${query}`
  // Send no cookies: the key must authenticate the request, not a signed-in session.
  return new Request(`${basePath}${url}${search}`, {
    method: method!,
    headers,
    body,
    credentials: 'omit',
    cache: 'no-store',
  })
}

/** Fills the ids of a response, such as that of a new payment, into the forms that need them. */
function rememberIds(data: unknown): void {
  if (typeof data !== 'object' || data === null) return
  for (const [name, value] of Object.entries(data)) {
    if (name.endsWith('_id') && typeof value === 'string') remember(inputName(name), value)
  }
}
