import { setTimeout as sleep } from 'node:timers/promises'
import { type Participants, type Payer, type Reply, type Request, send } from './participants.ts'
import type { Random } from './random.ts'

const CUSTOMERS = 16
const MAX_SALES = 40_000
const ORDER: readonly Status[] = ['pending', 'completed', 'refunded']

type Status = 'pending' | 'completed' | 'refunded'

/** An order, with what the service acknowledged of it and must never lose. */
export type Sale = {
  /** The shop's order number, which is the reference of its payments. */
  readonly reference: string
  readonly amountMinor: number
  /** The possible number of payments: one with an Idempotency-Key, otherwise one per request. */
  maxPayments: number
  /** Null until the create is acknowledged. */
  paymentId: string | null
  status: Status
  walletId: number | null
}

type LoadOptions = {
  /** Used in turn, so that several nodes share the load. */
  readonly origins: readonly string[]
  readonly participants: Participants
  readonly random: Random
  readonly customers?: number
  /** The webhook URL of some of the payments. */
  readonly webhookUrls?: readonly string[]
}

export type LoadResult = {
  readonly sales: readonly Sale[]
  readonly customers: number
  readonly seconds: number
  readonly answered: number
  /** Requests without a response. They are retried. */
  readonly unanswered: number
  /** Responses that ask for a retry: 503, and 409 while the first request with the key is running. */
  readonly busy: number
  /** Acknowledged creates, payments and refunds. */
  readonly writes: number
  readonly worstGapMs: number
  /** Responses that no correct client should ever see. */
  readonly unexpected: readonly string[]
}

export type Load = ReturnType<typeof startLoad>

/** Customers that create, pay, read and refund payments until they are stopped. */
export function startLoad(options: LoadOptions) {
  const { origins, participants, customers = CUSTOMERS, webhookUrls = [] } = options
  const sales: Sale[] = []
  const unexpected: string[] = []
  const count = { answered: 0, unanswered: 0, busy: 0, writes: 0 }
  const startedMs = performance.now()
  let lastWriteMs = startedMs
  let worstGapMs = 0
  let requestCount = 0
  let isStopped = false

  function recordGap(): void {
    const nowMs = performance.now()
    worstGapMs = Math.max(worstGapMs, nowMs - lastWriteMs)
    lastWriteMs = nowMs
  }
  function recordWrite(): void {
    count.writes += 1
    recordGap()
  }

  /** One attempt. Null if the result is unknown or a retry is needed. */
  async function sendOnce(request: Request): Promise<Reply | null> {
    const reply = await send(origins[requestCount++ % origins.length]!, request)
    if (reply === null) count.unanswered += 1
    else if (reply.status === 503 || isKeyInUse(reply)) {
      count.busy += 1
      if (reply.status === 503 && !reply.headers.has('retry-after'))
        unexpected.push('503, no Retry-After')
    } else {
      count.answered += 1
      return reply
    }
    return null
  }

  /** Null only if the load was stopped. The result then stays unknown. */
  async function retryUntilAnswered(
    request: Request,
    { random, onTry = () => {} }: { random: Random; onTry?: () => void },
  ): Promise<Reply | null> {
    while (!isStopped) {
      onTry()
      const reply = await sendOnce(request)
      if (reply !== null) return reply
      await sleep(random.between(100, 400))
    }
    return null
  }

  function isOk(reply: Reply, action: string): boolean {
    if (reply.status === 200) return true
    unexpected.push(`${action}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`)
    return false
  }

  /** Checks that a read shows every acknowledged write. */
  async function checkRead(
    sale: Sale,
    shop: Participants['shops'][number],
    random: Random,
  ): Promise<void> {
    const suffix = random.chance(0.5) ? '' : '/status'
    const path = `/merchant/payment/${sale.paymentId}${suffix}`
    const reply = await retryUntilAnswered({ method: 'GET', path, headers: shop }, { random })
    if (reply === null || !isOk(reply, 'read')) return
    const status = reply.body.data.status as Status
    if (status !== sale.status)
      unexpected.push(`read: ${status} after ${sale.status} was acknowledged`)
  }

  async function create(reference: string, shop: Participants['shops'][number], random: Random) {
    const amountMinor = random.between(10, 500)
    const headers = random.chance(0.5) ? { ...shop, 'idempotency-key': reference } : shop
    const body = {
      amount: amountMinor / 100,
      currency: 'USD',
      reference_id: reference,
      ...(webhookUrls.length > 0 && random.chance(0.5)
        ? { webhook_url: random.pick(webhookUrls) }
        : {}),
    }
    const sale: Sale = {
      reference,
      amountMinor,
      paymentId: null,
      status: 'pending',
      walletId: null,
      maxPayments: headers === shop ? 0 : 1,
    }
    sales.push(sale)
    const request = { path: '/merchant/payment/create', headers, body }
    const onTry = () => {
      if (headers === shop) sale.maxPayments += 1
    }
    const created = await retryUntilAnswered(request, { random, onTry })
    if (created === null || !isOk(created, 'create')) return null
    sale.paymentId = created.body.data.payment_id as string
    recordWrite()
    if (headers !== shop && random.chance(0.2)) {
      const again = await retryUntilAnswered(request, { random })
      if (again !== null && again.body.data?.payment_id !== sale.paymentId) {
        unexpected.push(`create again: ${again.status}, another payment for the same key`)
      }
    }
    return { sale, qrCode: created.body.data.qr_code as string }
  }

  /** A retry is safe, with a key or without: paying a paid payment again returns the same receipt. */
  async function pay(created: { sale: Sale; qrCode: string }, payer: Payer, random: Random) {
    const { sale, qrCode } = created
    const key = random.chance(0.5) ? { 'idempotency-key': `${sale.reference}/pay` } : {}
    const headers = { ...payer.headers, ...key }
    const paid = await retryUntilAnswered(
      { path: `/wallet/payment/${qrCode}/pay`, headers },
      { random },
    )
    if (paid === null || !isOk(paid, 'pay')) return false
    sale.status = 'completed'
    sale.walletId = payer.walletId
    recordWrite()
    return true
  }

  async function refund(sale: Sale, shop: Participants['shops'][number], random: Random) {
    const isKeyed = random.chance(0.5)
    const headers = { ...shop, ...(isKeyed && { 'idempotency-key': `${sale.reference}/refund` }) }
    let tries = 0
    const onTry = () => {
      tries += 1
    }
    const path = `/merchant/payment/${sale.paymentId}`
    const reply = await retryUntilAnswered({ path: `${path}/refund`, headers }, { random, onTry })
    if (reply === null) return
    // An earlier attempt succeeded and its response was lost. Without a key, read the payment.
    const wasDoneBefore = !isKeyed && tries > 1 && reply.status === 400
    if (!wasDoneBefore && !isOk(reply, 'refund')) return
    if (wasDoneBefore) {
      const request = { method: 'GET' as const, path: `${path}/status`, headers: shop }
      const read = await retryUntilAnswered(request, { random })
      if (read === null) return
      if (read.body.data?.status !== 'refunded') return void isOk(reply, 'refund')
    }
    sale.status = 'refunded'
    recordWrite()
  }

  async function runCustomer(number: number): Promise<void> {
    const random = options.random.part(`customer ${number}`)
    for (let turn = 0; !isStopped && sales.length < MAX_SALES; turn++) {
      const shop = random.pick(participants.shops)
      const created = await create(`${options.random.seed}/${number}.${turn}`, shop, random)
      if (created === null) continue
      if (random.chance(0.3)) await checkRead(created.sale, shop, random)
      if (random.chance(0.25)) continue
      if (!(await pay(created, random.pick(participants.payers), random))) continue
      if (random.chance(0.3)) await checkRead(created.sale, shop, random)
      if (random.chance(0.6)) continue
      await refund(created.sale, shop, random)
    }
  }

  const running = Promise.all(Array.from({ length: customers }, (_, number) => runCustomer(number)))
  return {
    /** Waits until this many more writes have been acknowledged. */
    async untilWrites(additional: number, timeoutMs = 60_000): Promise<void> {
      const target = count.writes + additional
      const deadlineMs = performance.now() + timeoutMs
      while (count.writes < target) {
        if (performance.now() > deadlineMs) {
          throw new Error(
            `${target - count.writes} of ${additional} writes were not acknowledged in time`,
          )
        }
        await sleep(20)
      }
    },
    count: (): Readonly<typeof count> => ({ ...count }),
    async stop(): Promise<LoadResult> {
      isStopped = true
      const seconds = (performance.now() - startedMs) / 1000
      recordGap()
      await running
      return { sales, customers, seconds, ...count, worstGapMs: Math.round(worstGapMs), unexpected }
    },
  }
}

export const isAtLeast = (found: string | undefined, status: Status) =>
  ORDER.indexOf(found as Status) >= ORDER.indexOf(status)

const isKeyInUse = ({ status, body }: Reply) =>
  status === 409 && /still running/.test(body?.message ?? '')
