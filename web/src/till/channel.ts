import type { ShownStatus } from '../kit/display.tsx'
import type { Tip } from './basket.ts'

/** The store as the customer screen shows it. */
export type Shop = { readonly store: string; readonly logo: string; readonly isSandbox: boolean }

/** The question for a tip. */
export type TipQuestion = {
  /** The key of the sale: a choice for an earlier sale has no effect. */
  readonly saleKey: string
  readonly amount: string
  readonly currency: string
  readonly tips: readonly Tip[]
}

type ShownSale = {
  readonly amount: string
  readonly currency: string
  readonly code: string
  readonly status: ShownStatus
  readonly endsMs: number
  readonly receiptUrl: string
}

/** The state of the customer screen. It has no session: the till sends it everything. */
export type DisplayState =
  | (Shop & { readonly kind: 'welcome' })
  | (Shop & TipQuestion & { readonly kind: 'tip' })
  | (Shop & ShownSale & { readonly kind: 'sale' })

/** The customer's choice. `tip` is null for no tip. */
export type TipChoice = {
  readonly kind: 'choice'
  readonly saleKey: string
  readonly tip: Tip | null
}

/** The state of one tab with the till. Several tabs can be open. Tabs opened before an update send only the state. */
type TabState = DisplayState & {
  readonly tab?: string
  /** When the tab got this state. */
  readonly sinceMs?: number
  readonly isClosing?: boolean
}

/** A display sends `hello` to get the current states. */
type Message = { readonly kind: 'hello' } | TabState | TipChoice

const CHANNEL = 'florin.till'
/** Created on first use, because a browser has `randomUUID` only with https, and the sign-in page must open without it. */
let ownTab: string | undefined

/** Displays ask often, and forget tabs that don't respond: a tab that crashes sends nothing. */
const HELLO_INTERVAL_MS = 3_000
const TAB_TIMEOUT_MS = 10_000

let channel: BroadcastChannel | undefined
let current: TabState | undefined
let onChoice: ((choice: TipChoice) => void) | undefined

/** Sends the state to all customer screens. */
export function updateDisplay(state: DisplayState): void {
  ownTab ??= crypto.randomUUID()
  current = { ...state, tab: ownTab, sinceMs: Date.now() }
  if (channel === undefined) {
    channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'hello') sendState()
      if (data.kind === 'choice') onChoice?.(data)
    }
    addEventListener('pagehide', () => {
      if (current) send({ ...current, kind: 'welcome', isClosing: true })
    })
    // The browser can show a closed page again.
    addEventListener('pageshow', sendState)
  }
  sendState()
}

const send = (message: Message) => channel?.postMessage(message)

const sendState = () => current && send(current)

/** Receives the tips that customers choose on a display. Returns a function that unsubscribes. */
export function subscribeToChoices(listener: (choice: TipChoice) => void): () => void {
  onChoice = listener
  return () => {
    onChoice = undefined
  }
}

/** The display's end of the connection to the till. */
type TillConnection = {
  readonly choose: (saleKey: string, tip: Tip | null) => void
  readonly close: () => void
}

/** Whether a customer still has to choose a tip or to pay. */
const isOpen = (state: DisplayState) =>
  state.kind === 'tip' || (state.kind === 'sale' && state.status === 'pending')

/** The newest state, but a tab without a sale doesn't hide an open one. */
function shownOf(states: readonly TabState[]): TabState | undefined {
  const sorted = states.toSorted((a, b) => (a.sinceMs ?? 0) - (b.sinceMs ?? 0))
  const newest = sorted.at(-1)
  return newest?.kind === 'welcome' ? (sorted.findLast(isOpen) ?? newest) : newest
}

/** Receives the states that the tabs with the till send. Shows null once there is no tab. */
export function connectToTill(show: (state: DisplayState | null) => void): TillConnection {
  const channel = new BroadcastChannel(CHANNEL)
  const tabs = new Map<string, { readonly state: TabState; readonly heardMs: number }>()
  let lastHeardMs = performance.now()

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello' || data.kind === 'choice') return
    const { tab = '' } = data
    lastHeardMs = performance.now()
    if (data.isClosing) tabs.delete(tab)
    else tabs.set(tab, { state: data, heardMs: lastHeardMs })
    update()
  }

  function update(): void {
    const nowMs = performance.now()
    for (const [tab, { heardMs }] of tabs) if (nowMs - heardMs > TAB_TIMEOUT_MS) tabs.delete(tab)
    const shown = shownOf([...tabs.values()].map(({ state }) => state))
    if (shown !== undefined) show(shown)
    // A till that is being reloaded is back before that.
    else if (nowMs - lastHeardMs > TAB_TIMEOUT_MS) show(null)
  }

  const send = (message: Message) => channel.postMessage(message)
  const timer = setInterval(() => {
    update()
    send({ kind: 'hello' })
  }, HELLO_INTERVAL_MS)
  send({ kind: 'hello' })
  return {
    choose: (saleKey, tip) => send({ kind: 'choice', saleKey, tip }),
    close: () => {
      clearInterval(timer)
      channel.close()
    },
  }
}
