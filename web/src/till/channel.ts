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

/** The state of one tab with the till. Several tabs can be open. */
type TabState = { readonly kind: 'state'; readonly tab: string; readonly state: DisplayState }

/** A new display sends `hello` to get the current states. A tab that closes sends `bye`. */
type Message =
  | { readonly kind: 'hello' }
  | { readonly kind: 'bye'; readonly tab: string }
  | TabState
  | TipChoice

const CHANNEL = 'florin.till'
const TAB = crypto.randomUUID()

let channel: BroadcastChannel | undefined
let current: DisplayState | undefined
let onChoice: ((choice: TipChoice) => void) | undefined

/** Sends the state to all customer screens. */
export function updateDisplay(state: DisplayState): void {
  current = state
  if (channel === undefined) {
    channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'hello') sendState()
      if (data.kind === 'choice') onChoice?.(data)
    }
    addEventListener('pagehide', () => send({ kind: 'bye', tab: TAB }))
    // The browser can show a closed page again.
    addEventListener('pageshow', sendState)
  }
  sendState()
}

const send = (message: Message) => channel?.postMessage(message)

const sendState = () => current && send({ kind: 'state', tab: TAB, state: current })

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

/** Receives the states that the tabs with the till send. Shows the newest sale; a tab without one doesn't hide it. */
export function connectToTill(show: (state: DisplayState) => void): TillConnection {
  const channel = new BroadcastChannel(CHANNEL)
  /** The newest state is the last one. */
  const states = new Map<string, DisplayState>()
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'state' && data.kind !== 'bye') return
    states.delete(data.tab)
    if (data.kind === 'state') states.set(data.tab, data.state)
    const all = [...states.values()]
    const shown = all.findLast(({ kind }) => kind !== 'welcome') ?? all.at(-1)
    if (shown !== undefined) show(shown)
  }
  const send = (message: Message) => channel.postMessage(message)
  send({ kind: 'hello' })
  return {
    choose: (saleKey, tip) => send({ kind: 'choice', saleKey, tip }),
    close: () => channel.close(),
  }
}
