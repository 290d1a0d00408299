import { createHmac } from 'node:crypto'
import type { Florin, StoredEvent } from '@florin/sdk'
import { signatureHeaders } from '@florin/server/core/webhook.js'
import { UsageError } from './failure.ts'
import { asSandboxMerchant, describeError, type MerchantOptions } from './merchant.ts'
import { escapeControls, printLine } from './print.ts'

type ListenOptions = MerchantOptions & { readonly forwardTo: string; readonly json?: boolean }

const POLL_INTERVAL_MS = 1_000
/** Polls overlap, because an event has a time before its commit, and the service's clock is known only to the second. */
const OVERLAP_MS = 5_000
const CLOCK_TIMEOUT_MS = 10_000

/**
 * Forwards a store's sandbox events to a local address, signed like webhooks. The signing secret is derived
 * from the API secret, so it stays the same.
 */
export async function listen(options: ListenOptions, stopped: Promise<unknown>): Promise<void> {
  const { forwardTo } = options
  const json = options.json === true
  if (!URL.canParse(forwardTo)) {
    throw new UsageError('--forward-to must be a URL, such as http://localhost:3000/hook.')
  }
  await asSandboxMerchant(options, async ({ florin, url, apiSecret }) => {
    const key = createHmac('sha256', apiSecret).update('florin listen').digest('base64')
    const secret = `whsec_${key}`
    const serviceTimeMs = await readServiceClock(url)
    let fromMs = serviceTimeMs()
    // Skip events that the overlap of the first polls would find.
    const before = await fetchEvents(florin, new Date(fromMs - OVERLAP_MS))
    const seen = new Set(before.map(keyOf))
    printLine(json ? { forward_to: forwardTo, signing_secret: secret } : welcome(forwardTo, secret))

    let isStopped = false
    let isHintPrinted = json
    void stopped.then(() => {
      isStopped = true
    })
    while (!isStopped) {
      const polledAtMs = serviceTimeMs()
      try {
        for (const event of await fetchEvents(florin, new Date(fromMs - OVERLAP_MS))) {
          if (seen.has(keyOf(event))) continue
          seen.add(keyOf(event))
          const result = await forward(event, forwardTo, secret)
          printLine(json ? { ...summaryOf(event), ...result } : lineOf(event, result))
          if (!isHintPrinted && isRefused(result)) {
            printLine(secretHint(secret))
            isHintPrinted = true
          }
        }
        fromMs = polledAtMs
      } catch (error) {
        const { message } = describeError(error, url) as Error
        printLine(json ? { error: message } : `${clock()}  ${message}`)
      }
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))])
    }
  })
}

/** The service's clock, because that of this machine may be wrong, or be set while the command runs. */
async function readServiceClock(url: string): Promise<() => number> {
  const response = await fetch(`${url}/health`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(CLOCK_TIMEOUT_MS),
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

async function fetchEvents(florin: Florin, from: Date): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (const by of ['created_at', 'resent_at'] as const) {
    for await (const event of florin.events.list({ by, from })) events.push(event)
  }
  return events
}

/** `answer` is the status line, or the reason for no response. */
type ForwardResult = { status_code: number | null; answer: string; duration_ms: number }

async function forward(
  event: StoredEvent,
  forwardTo: string,
  secret: string,
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
    signal: AbortSignal.timeout(15_000),
  }).then(
    ({ status, statusText }) => ({ status_code: status, answer: `${status} ${statusText}` }),
    (error: Error) => ({
      status_code: null,
      answer: (error.cause as Error | undefined)?.message ?? error.message,
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
