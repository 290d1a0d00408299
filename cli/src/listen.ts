import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Florin, StoredEvent } from '@florin/sdk'
import { signatureHeaders } from '@florin/server/core/webhook.js'
import { UsageError } from './failure.ts'
import { reasonOf } from './local.ts'
import { asSandboxMerchant, describeError, type MerchantOptions } from './merchant.ts'
import { escapeControls, printLine } from './print.ts'

type ListenOptions = MerchantOptions & { readonly forwardTo: string; readonly json?: boolean }

const POLL_INTERVAL_MS = 1_000
/** Polls overlap, because an event has a time before its commit, and the service's clock is known only to the second. */
const OVERLAP_MS = 5_000
const CLOCK_TIMEOUT_MS = 10_000
const FORWARD_TIMEOUT_MS = 15_000

/**
 * Forwards a store's sandbox events to a local address, signed like webhooks. The signing secret is derived
 * from the API secret, so it stays the same.
 */
export async function listen(options: ListenOptions, stopped: AbortSignal): Promise<void> {
  checkForwardTo(options.forwardTo)
  try {
    await forwardEvents(options, stopped)
  } catch (error) {
    // Stopping aborts a request in the middle.
    if (!stopped.aborted) throw error
  }
}

/** Refuses what fetch can't call, such as localhost:3000/hook, whose scheme is "localhost". */
function checkForwardTo(forwardTo: string): void {
  if (URL.canParse(forwardTo)) {
    const { protocol, username, password } = new URL(forwardTo)
    if (/^https?:$/.test(protocol) && username === '' && password === '') return
  }
  throw new UsageError(
    '--forward-to must be a URL with http:// or https:// and without a user name, such as http://localhost:3000/hook.',
  )
}

async function forwardEvents(options: ListenOptions, stopped: AbortSignal): Promise<void> {
  const { forwardTo } = options
  const json = options.json === true
  await asSandboxMerchant(options, async ({ florin, url, apiSecret }) => {
    const key = createHmac('sha256', apiSecret).update('florin listen').digest('base64')
    const secret = `whsec_${key}`
    const serviceTimeMs = await readServiceClock(url, stopped)
    let fromMs = serviceTimeMs()
    // Skip events that the overlap of the first polls would find.
    const before = await fetchEvents(florin, new Date(fromMs - OVERLAP_MS), stopped)
    const seen = new Set(before.map(keyOf))
    printLine(json ? { forward_to: forwardTo, signing_secret: secret } : welcome(forwardTo, secret))

    let isHintPrinted = json
    while (!stopped.aborted) {
      const polledAtMs = serviceTimeMs()
      try {
        for (const event of await fetchEvents(florin, new Date(fromMs - OVERLAP_MS), stopped)) {
          if (seen.has(keyOf(event))) continue
          seen.add(keyOf(event))
          const result = await forward(event, { forwardTo, secret, stopped })
          if (stopped.aborted) return
          printLine(json ? { ...summaryOf(event), ...result } : lineOf(event, result))
          if (!isHintPrinted && isRefused(result)) {
            printLine(secretHint(secret))
            isHintPrinted = true
          }
        }
        fromMs = polledAtMs
      } catch (error) {
        if (stopped.aborted) return
        const { message } = describeError(error, url) as Error
        printLine(json ? { error: message } : `${clock()}  ${message}`)
      }
      await setTimeout(POLL_INTERVAL_MS, undefined, { signal: stopped })
    }
  })
}

/** The service's clock, because that of this machine may be wrong, or be set while the command runs. */
async function readServiceClock(url: string, stopped: AbortSignal): Promise<() => number> {
  const response = await fetch(`${url}/health`, {
    redirect: 'manual',
    signal: AbortSignal.any([AbortSignal.timeout(CLOCK_TIMEOUT_MS), stopped]),
  }).catch(() => null)
  const atMs = Date.parse(response?.headers.get('date') ?? '')
  const offsetMs = (Number.isNaN(atMs) ? Date.now() : atMs) - performance.now()
  return () => performance.now() + offsetMs
}

const welcome = (forwardTo: string, secret: string) =>
  `Forwarding sandbox events to ${forwardTo}\n` +
  `Signing secret: ${secret}\n` +
  'Trigger an event: npx florin trigger payment.completed. Press Ctrl-C to stop.\n'

/** A receiver with another secret refuses the signature, usually with one of these. */
const isRefused = ({ status_code: status }: ForwardResult) => status === 400 || status === 401

const secretHint = (secret: string) =>
  'If your server checks signatures, make sure that it uses the signing secret of this command:\n' +
  secret

const keyOf = (event: StoredEvent) => `${event.id} ${event.resent_at}`

async function fetchEvents(
  florin: Florin,
  from: Date,
  signal: AbortSignal,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (const by of ['created_at', 'resent_at'] as const) {
    for await (const event of florin.events.list({ by, from }, { signal })) events.push(event)
  }
  return events
}

/** `answer` is the status line, or the reason for no response. */
type ForwardResult = { status_code: number | null; answer: string; duration_ms: number }

async function forward(
  event: StoredEvent,
  { forwardTo, secret, stopped }: { forwardTo: string; secret: string; stopped: AbortSignal },
): Promise<ForwardResult> {
  const { id, body } = event
  const startedMs = performance.now()
  const result = await fetch(forwardTo, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders({ id, body: Buffer.from(body), at: new Date() }, [secret]),
    },
    body,
    signal: AbortSignal.any([AbortSignal.timeout(FORWARD_TIMEOUT_MS), stopped]),
  }).then(
    ({ status, statusText }) => ({ status_code: status, answer: `${status} ${statusText}` }),
    (error: Error) => ({
      status_code: null,
      answer: reasonOf(error.cause ?? error),
    }),
  )
  return { ...result, duration_ms: Math.round(performance.now() - startedMs) }
}

const summaryOf = ({ id, type, payment_id, resent_at }: StoredEvent) => ({
  id,
  type,
  payment_id,
  again: resent_at !== null,
})

function lineOf(event: StoredEvent, { answer, duration_ms }: ForwardResult): string {
  const suffix = event.resent_at === null ? '' : ' (resent)'
  const what = escapeControls(`${event.type}${suffix}  ${event.payment_id}  ->  ${answer}`)
  return `${clock()}  ${what}, ${duration_ms} ms`
}

const clock = () => new Date().toISOString().slice(11, 19)
