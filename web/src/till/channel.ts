import type { Status } from '../kit/display.tsx'

/** What the customer's screen shows. It has no session: it knows only what the till tells it. */
export type Shown =
  | { readonly kind: 'welcome'; readonly store: string; readonly isSandbox: boolean }
  | {
      readonly kind: 'sale'
      readonly store: string
      readonly isSandbox: boolean
      readonly amount: string
      readonly currency: string
      readonly code: string
      readonly status: Status
      readonly endsMs: number
    }

type Message = { readonly kind: 'hello' } | Shown

const NAME = 'florin.till'

/** The till's end: tells every screen at once, and each new one when it says hello. */
function openTill(): (shown: Shown) => void {
  const channel = new BroadcastChannel(NAME)
  let last: Shown | null = null
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello' && last !== null) channel.postMessage(last)
  }
  return (shown) => {
    last = shown
    channel.postMessage(shown)
  }
}

let tell: ((shown: Shown) => void) | undefined

export function tellDisplay(shown: Shown): void {
  tell ??= openTill()
  tell(shown)
}

/** The screen's end; answers how to stop listening. */
export function watchTill(show: (shown: Shown) => void): () => void {
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'hello') show(data)
  }
  channel.postMessage({ kind: 'hello' } satisfies Message)
  return () => channel.close()
}
