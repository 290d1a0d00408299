import type { ShownStatus } from '../kit/display.tsx'

/** The state of the customer display. The display has no session: the till sends it everything. */
export type DisplayState =
  | { readonly kind: 'welcome'; readonly store: string; readonly isSandbox: boolean }
  | {
      readonly kind: 'sale'
      readonly store: string
      readonly isSandbox: boolean
      readonly amount: string
      readonly currency: string
      readonly code: string
      readonly status: ShownStatus
      readonly endsMs: number
    }

/** A new display sends `hello` to get the current state. */
type Message = { readonly kind: 'hello' } | DisplayState

const CHANNEL = 'florin.till'

let channel: BroadcastChannel | undefined
let current: DisplayState | undefined

/** Sends the state to all customer displays. */
export function updateDisplay(state: DisplayState): void {
  current = state
  if (channel === undefined) {
    channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'hello') channel?.postMessage(current)
    }
  }
  channel.postMessage(state)
}

/** Receives the states that the till sends. Returns a function that stops it. */
export function subscribeToTill(show: (state: DisplayState) => void): () => void {
  const own = new BroadcastChannel(CHANNEL)
  own.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'hello') show(data)
  }
  own.postMessage({ kind: 'hello' } satisfies Message)
  return () => own.close()
}
