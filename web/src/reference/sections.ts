/** Sections that are this close to the screen get their details. */
const NEAR_PX = 900
/** The section that is read begins above this line, which is below the header. */
const READING_LINE_PX = 120

type Section = { readonly element: HTMLElement; readonly link: HTMLAnchorElement }

/**
 * Marks the current section in the contents, and loads the details of endpoints shortly before they are visible, so that
 * the page starts with few elements (docs/decisions/014-own-reference.md).
 */
export function showSections(prepare: (root: ParentNode) => void): void {
  const contents = document.getElementById('contents')
  // The page of one endpoint has only plain links.
  if (contents === null) return
  const links = [...contents.querySelectorAll<HTMLAnchorElement>('a')]
  const sections: readonly Section[] = links.map((link) => ({
    element: document.getElementById(link.hash.slice(1))!,
    link,
  }))
  const waiting = new Set(sections.filter(isEndpoint).map(({ element }) => element))
  let current: Section | undefined
  /** The section that the visitor navigated to, and its position on the screen, until the visitor scrolls. */
  let target: (Section & { top: number }) | undefined
  let isLoading = false

  const sectionBeingRead = () =>
    target ?? sections.findLast(({ element }) => topOf(element) <= READING_LINE_PX) ?? sections[0]!

  function markCurrent(): void {
    const next = sectionBeingRead()
    if (next === current) return
    current?.link.removeAttribute('aria-current')
    next.link.setAttribute('aria-current', 'location')
    next.link.closest('details')!.open = true
    current = next
    scrollToLink(contents!, next.link)
  }

  function findNearest(): HTMLElement | undefined {
    const distances = [...waiting].map((element) => ({ element, distance: distanceOf(element) }))
    return distances
      .filter(({ distance }) => distance < NEAR_PX)
      .sort((a, b) => a.distance - b.distance)[0]?.element
  }

  /** One after the other: each section that grows moves others away. */
  async function loadNear(): Promise<void> {
    if (isLoading) return
    isLoading = true
    for (let element = findNearest(); element !== undefined; element = findNearest()) {
      const details = await loadDetails(element)
      // The next scroll tries again.
      if (details === null) break
      releaseTarget()
      keepPosition(sectionBeingRead().element, () => {
        element.replaceChildren(...details)
        element.dataset.drawn = ''
        prepare(element)
      })
      waiting.delete(element)
      // Sections at the end reach the top only when those below them have grown.
      showTarget()
    }
    isLoading = false
    markCurrent()
  }

  function update(): void {
    markCurrent()
    void loadNear()
  }

  function showTarget(): void {
    if (target === undefined) return
    target.element.scrollIntoView({ behavior: 'instant' })
    target.top = topOf(target.element)
  }

  function releaseTarget(): void {
    if (target !== undefined && Math.abs(topOf(target.element) - target.top) > 1) target = undefined
  }

  function goTo(hash: string): void {
    const section = sections.find(({ link }) => link.hash === hash)
    target = section && { ...section, top: 0 }
    showTarget()
    update()
  }

  for (const link of links) link.addEventListener('click', () => goTo(link.hash))
  addEventListener('hashchange', () => goTo(location.hash))
  let isPlanned = false
  addEventListener(
    'scroll',
    () => {
      if (isPlanned) return
      isPlanned = true
      requestAnimationFrame(() => {
        isPlanned = false
        releaseTarget()
        update()
      })
    },
    { passive: true },
  )
  addEventListener('resize', update)
  // The URL follows the visitor, because a reload can't restore the position: the sections are small again.
  history.scrollRestoration = 'manual'
  addEventListener('scrollend', () => {
    if (!isOnScreen(document.getElementById(location.hash.slice(1)))) {
      history.replaceState(null, '', current!.link.hash)
    }
  })
  enableContentsMenu(contents, links)
  goTo(location.hash)
}

const isEndpoint = ({ element }: Section) => element.matches('.call')
const topOf = (element: Element) => element.getBoundingClientRect().top

const isOnScreen = (element: Element | null) => element !== null && distanceOf(element) === 0

/** How far an element is from the screen. */
function distanceOf(element: Element): number {
  const { top, bottom } = element.getBoundingClientRect()
  return Math.max(top - innerHeight, -bottom, 0)
}

/** Reads the details of an endpoint from its page. Null if it doesn't load. */
async function loadDetails(element: HTMLElement): Promise<ChildNode[] | null> {
  const { href } = element.querySelector('a')!
  try {
    const response = await fetch(href)
    if (!response.ok) return null
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return [...page.getElementById(element.id)!.childNodes]
  } catch {
    return null
  }
}

/** Changes the page without moving `element` on the screen. */
function keepPosition(element: Element, change: () => void): void {
  const before = topOf(element)
  change()
  scrollBy({ top: topOf(element) - before, behavior: 'instant' })
}

/** Scrolls the contents, and not the page, to a link. */
function scrollToLink(contents: HTMLElement, link: HTMLElement): void {
  const { top, bottom } = contents.getBoundingClientRect()
  const at = link.getBoundingClientRect()
  if (at.top < top || at.bottom > bottom) contents.scrollBy(0, at.top - (top + bottom) / 2)
}

/** On narrow screens the contents are a menu over the page. */
function enableContentsMenu(contents: HTMLElement, links: readonly HTMLAnchorElement[]): void {
  // Browsers without popovers keep the contents below the text.
  if (!('showPopover' in contents)) return
  contents.popover = 'auto'
  document.querySelector('.to-contents')!.addEventListener('click', (event) => {
    event.preventDefault()
    contents.showPopover()
    const current = contents.querySelector<HTMLElement>('[aria-current]')
    current?.focus()
  })
  for (const link of links) link.addEventListener('click', () => contents.hidePopover())
}
