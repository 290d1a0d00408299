import { createHmac } from 'node:crypto'
import { signatureHeaders, signerOf } from '@florin/server/core/webhook.js'
import { Refused } from './local.ts'
import { type Merchant, type MerchantOptions, sandboxMerchant } from './merchant.ts'

type Event = {
  id: string
  type: string
  payment_id: string
  created_at: string
  resent_at: string | null
  body: string
}

const LOOK_EVERY_MS = 1_000
/** Times are whole seconds and events of one second may come in any order: each look overlaps. */
const OVERLAP_MS = 5_000

/**
 * Forwards a store's sandbox events to a developer's machine as they happen, signed as webhooks are
 * but with a secret of its own that stays the same for the same keys.
 */
export async function listen(
  forwardTo: string,
  options: MerchantOptions,
  stopped: Promise<unknown>,
): Promise<void> {
  if (!URL.canParse(forwardTo)) throw new Refused('--forward-to must be an address')
  const merchant = await sandboxMerchant(options)
  const key = createHmac('sha256', merchant.apiSecret).update('florin listen').digest('base64')
  const secret = `whsec_${key}`
  let fromMs = Date.now()
  // What happened just before is not news, but the first looks would find it.
  const before = await newEvents(merchant, new Date(fromMs - OVERLAP_MS))
  const seen = new Set(before.map(nameOf))
  say(`Forwarding sandbox events to ${forwardTo}`)
  say(`Signing secret: ${secret}`)
  say('Make one with: npx florin trigger payment.completed. Ctrl-C ends.\n')

  let isOver = false
  void stopped.then(() => {
    isOver = true
  })
  while (!isOver) {
    const lookedAtMs = Date.now()
    try {
      for (const event of await newEvents(merchant, new Date(fromMs - OVERLAP_MS))) {
        if (seen.has(nameOf(event))) continue
        seen.add(nameOf(event))
        await forward(event, forwardTo, secret)
      }
      fromMs = lookedAtMs
    } catch (error) {
      say(`${clock()}  ${(error as Error).message}`)
    }
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))])
  }
}

const nameOf = (event: Event) => `${event.id} ${event.resent_at}`

async function newEvents(merchant: Merchant, from: Date): Promise<Event[]> {
  const events: Event[] = []
  for (const by of ['created_at', 'resent_at']) {
    let cursor: string | null = null
    do {
      const query = new URLSearchParams({ by, from: from.toISOString(), limit: '100' })
      if (cursor !== null) query.set('cursor', cursor)
      const page: { events: Event[]; next_cursor: string | null } = await merchant.call(
        'GET',
        `/merchant/events?${query}`,
      )
      events.push(...page.events)
      cursor = page.next_cursor
    } while (cursor !== null)
  }
  return events
}

async function forward(event: Event, forwardTo: string, secret: string): Promise<void> {
  const { id, body } = event
  const startedMs = performance.now()
  const answer = await fetch(forwardTo, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders({ id, body: Buffer.from(body), at: new Date() }, [signerOf(secret)]),
    },
    body,
    signal: AbortSignal.timeout(15_000),
  }).then(
    (response) => `${response.status} ${response.statusText}`,
    (error: Error) => (error.cause as Error)?.message ?? error.message,
  )
  const again = event.resent_at === null ? '' : ' (again)'
  const ms = Math.round(performance.now() - startedMs)
  say(`${clock()}  ${event.type}${again}  ${event.payment_id}  ->  ${answer}, ${ms} ms`)
}

const say = (line: string) => void process.stdout.write(`${line}\n`)
const clock = () => new Date().toISOString().slice(11, 19)
