import { type IndexedEntry, indexEntry, type SearchEntry, search } from '@florin/shared/search.js'
import { basePath } from '../kit/request.ts'

const MAX_RESULTS = 12

/** Enables the search dialog, which its button, `/` and Ctrl+K open. */
export function enableSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search')!
  const input = dialog.querySelector('input')!
  const list = dialog.querySelector('ul')!
  const note = dialog.querySelector('.search-note')!
  const button = document.querySelector<HTMLButtonElement>('.to-search')!
  let index: readonly IndexedEntry[] | undefined
  let hasTriedToLoad = false
  let options: HTMLElement[] = []
  let selected = 0

  async function open(): Promise<void> {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    index ??= await loadIndex()
    hasTriedToLoad = true
    show()
  }

  function show(): void {
    const query = input.value.trim()
    const found = index === undefined ? [] : search(index, query, MAX_RESULTS)
    options = found.map(optionOf)
    list.replaceChildren(...options)
    input.setAttribute('aria-expanded', String(options.length > 0))
    note.textContent = noteFor(query, found.length, index !== undefined)
    select(0)
  }

  function select(at: number): void {
    options[selected]?.setAttribute('aria-selected', 'false')
    selected = options.length === 0 ? 0 : (at + options.length) % options.length
    const option = options[selected]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', option.id)
  }

  function follow(option: HTMLElement | undefined): void {
    if (option === undefined) return
    dialog.close()
    location.href = option.dataset.href!
  }

  button.hidden = false
  button.addEventListener('click', () => void open())
  dialog.querySelector('button')!.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
    follow((event.target as Element).closest<HTMLElement>('[role=option]') ?? undefined)
  })
  input.addEventListener('input', () => {
    if (hasTriedToLoad) show()
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') follow(options[selected])
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    select(selected + (event.key === 'ArrowDown' ? 1 : -1))
  })
  document.addEventListener('keydown', (event) => {
    const isTyping =
      (event.target as Element).closest('input:not([type=radio]), textarea, select') !== null
    const isShortcut =
      (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isShortcut) return
    event.preventDefault()
    void open()
  })
}

/** Undefined if the index doesn't load. The next opening tries again. */
async function loadIndex(): Promise<readonly IndexedEntry[] | undefined> {
  try {
    const response = await fetch(`${basePath}/docs/search.json`)
    return ((await response.json()) as SearchEntry[]).map(indexEntry)
  } catch {
    return undefined
  }
}

function optionOf({ id, title, tag, place }: SearchEntry): HTMLElement {
  const option = document.createElement('li')
  option.id = `found-${id}`
  option.role = 'option'
  option.ariaSelected = 'false'
  option.dataset.href = `${basePath}/docs#${id}`
  const [name, where] = [document.createElement('strong'), document.createElement('span')]
  name.textContent = title
  where.textContent = place
  where.className = 'soft'
  if (tag !== undefined) where.dataset.method = tag
  option.append(name, where)
  return option
}

function noteFor(query: string, count: number, isLoaded: boolean): string {
  if (!isLoaded) return 'The search could not be loaded. Check your connection, then open it again.'
  if (query === '') return 'Type the name of an endpoint, a field or an error.'
  if (count === 0) return 'Nothing found. Try another word.'
  return count === 1 ? '1 result' : `${count} results`
}
