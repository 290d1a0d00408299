import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { webhookUrlProblem } from '../../src/core/webhookUrl.ts'
import { startLoops } from '../../src/loops.ts'
import { type Delivery, insertDeliveries } from '../../src/sql/deliveries.ts'
import { AddressRefused, resolveAddresses } from '../../src/webhooks/address.ts'
import { createPoster, type Poster } from '../../src/webhooks/post.ts'
import { startReceiver } from '../setup/receiver.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'
import { type CountingListener, startCountingListener } from './countingListener.ts'
import { LITERALS, LOCAL_NAMES, unusualUrls } from './hostileUrls.ts'

let listener: CountingListener
beforeAll(async () => {
  listener = await startCountingListener()
})
afterAll(() => listener.close())
afterEach(() => void vi.restoreAllMocks())

/** The listener's port is allowed, so that only the address check can block the call. */
const refusingRules = () => ({ allowPrivate: false, allowedPorts: new Set([443, listener.port]) })
const ALLOWING = { allowPrivate: true, allowedPorts: new Set([443]) }
const localUrls = () =>
  [...LITERALS, ...LOCAL_NAMES].map((host) => `https://${host}:${listener.port}/x`)
/** The errors of attempts that did not connect to anything. */
const REFUSED =
  /^(only https URLs are allowed|port \d+ is not allowed|the host must have a public address)$|^ERR_INVALID_URL|^UND_ERR_INVALID_ARG|neither IPv6 nor IPv4/
const post = (poster: Poster, url: string) =>
  poster.post({ url, body: '{"secret":1}', headers: { 'webhook-id': 'evt_1' } })

async function withPoster<T>(poster: Poster, work: (poster: Poster) => Promise<T>): Promise<T> {
  try {
    return await work(poster)
  } finally {
    await poster.close()
  }
}

describe('the listener itself', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0.0.0.0', 'localhost'])(
    'is reached by %s where private addresses are allowed',
    async (host) => {
      const before = listener.connections()
      const outcome = await withPoster(
        createPoster(ALLOWING, { connectionsPerHost: 1 }),
        (poster) => post(poster, `http://${host}:${listener.port}/`),
      )
      expect(outcome).toMatchObject({ statusCode: 200, responseBody: 'reached', error: null })
      expect(listener.connections()).toBe(before + 1)
    },
  )

  it.for(['[::1]', '[::ffff:127.0.0.1]', '[::]'])(
    'is reached by %s if this machine has IPv6',
    async (host, { skip }) => {
      if (!listener.hasIpv6) return skip('no IPv6 on this machine')
      const outcome = await withPoster(
        createPoster(ALLOWING, { connectionsPerHost: 1 }),
        (poster) => post(poster, `http://${host}:${listener.port}/`),
      )
      expect(outcome).toMatchObject({ statusCode: 200, responseBody: 'reached', error: null })
    },
  )
})

describe('a name with several addresses', () => {
  const postTo = (port: number, addresses: string[]) =>
    withPoster(
      createPoster(ALLOWING, { connectionsPerHost: 1, resolve: async () => addresses }),
      (poster) => post(poster, `http://localhost:${port}/`),
    )

  it('is called at the first one that accepts the connection', async () => {
    const receiver = await startReceiver()
    const outcome = await postTo(receiver.port, ['127.0.0.2', '127.0.0.3', '127.0.0.1'])
    await receiver.close()
    expect(outcome).toMatchObject({ statusCode: 200, error: null })
    expect(receiver.received).toHaveLength(1)
    expect(await postTo(receiver.port, ['127.0.0.2', '255.255.255.255'])).toMatchObject({
      statusCode: null,
      error: 'the connection was refused',
    })
  })

  it('has at most four of them tried', async () => {
    const url = new URL('https://many.example/')
    const resolve = async () => Array.from({ length: 9 }, (_, n) => `93.184.216.${n}`)
    expect(await resolveAddresses(url, refusingRules(), resolve)).toHaveLength(4)
  })
})

describe('with private addresses refused', () => {
  it('the list of hostile URLs has more than 120 different entries', () => {
    const all = [...localUrls(), ...unusualUrls(listener.port)]
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(120)
  })

  it.each([...LITERALS, ...LOCAL_NAMES])(
    'https://%s is neither accepted nor called',
    async (host) => {
      const before = listener.connections()
      const url = `https://${host}:${listener.port}/x`
      expect(webhookUrlProblem(url, refusingRules())).toBe('must be a public address')
      const outcome = await withPoster(
        createPoster(refusingRules(), { connectionsPerHost: 1, timeoutMs: 5_000 }),
        (poster) => post(poster, url),
      )
      expect(outcome).toMatchObject({ statusCode: null, responseBody: null })
      const expected = LOCAL_NAMES.includes(host)
        ? /^(the host must have a public address|the host name could not be resolved)$/
        : /^the host must have a public address$/
      expect(outcome.error).toMatch(expected)
      expect(listener.connections()).toBe(before)
    },
  )

  it.each(unusualUrls(65_001).map((url, index) => [url, index] as const))(
    '%j is neither accepted nor called',
    async (_url, index) => {
      const before = listener.connections()
      const url = unusualUrls(listener.port)[index]!
      expect(webhookUrlProblem(url, refusingRules())).toMatch(/^must /)
      const outcome = await withPoster(
        createPoster(refusingRules(), {
          connectionsPerHost: 1,
          timeoutMs: 5_000,
          resolve: resolveToListener,
        }),
        (poster) => post(poster, url),
      )
      expect(outcome.statusCode).toBeNull()
      expect(outcome.error).toMatch(REFUSED)
      expect(listener.connections()).toBe(before)
    },
  )
  /** Resolves every name to the addresses of the listener. */
  const resolveToListener = async () => ['127.0.0.1', '::1']

  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['several, all private', ['10.0.0.5', '127.0.0.1', 'fd00::2']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['6to4', ['2002:7f00:1::']],
    ['unspecified', ['0.0.0.0']],
    ['with a zone', ['fe80::1%lo']],
    ['the metadata service', ['169.254.169.254']],
    ['no records', []],
    ['a name instead of an address', ['localhost']],
  ])('refuses a name that resolves to %s', async (_what, addresses) => {
    const before = listener.connections()
    const outcome = await withPoster(
      createPoster(refusingRules(), { connectionsPerHost: 1, resolve: async () => addresses }),
      (poster) => post(poster, `https://innocent.example:${listener.port}/`),
    )
    expect(outcome.statusCode).toBeNull()
    expect(outcome.error).toMatch(REFUSED)
    expect(listener.connections()).toBe(before)
  })

  it('tries only the public address of a name that also has private ones', async () => {
    const url = new URL('https://mixed.example/')
    const resolve = async () => ['10.0.0.1', '::1', '93.184.216.34', '127.0.0.1']
    expect(await resolveAddresses(url, refusingRules(), resolve)).toEqual(['93.184.216.34'])
  })

  it('DNS rebinding has no effect', async () => {
    const before = listener.connections()
    const lookups = [['93.184.216.34'], ['127.0.0.1'], ['::1']]
    const resolve = vi.fn(async () => lookups.shift() ?? ['127.0.0.1'])
    const connected: unknown[] = []
    const connect = tls.connect
    vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) => {
      connected.push({ host: options.host, servername: options.servername })
      // No traffic leaves this machine: its port 1 refuses.
      return connect({ ...options, host: '127.0.0.1', port: 1 })
    }) as typeof tls.connect)
    const url = `https://rebinding.example:${listener.port}/`
    await withPoster(
      createPoster(refusingRules(), { connectionsPerHost: 1, resolve }),
      async (poster) => {
        expect((await post(poster, url)).error).toBe('the connection was refused')
        // One lookup per connection, and the connection uses the address that was checked.
        expect(resolve).toHaveBeenCalledTimes(1)
        expect(connected).toEqual([{ host: '93.184.216.34', servername: 'rebinding.example' }])
        expect((await post(poster, url)).error).toBe('the host must have a public address')
        expect((await post(poster, url)).error).toBe('the host must have a public address')
        expect(connected).toHaveLength(1)
      },
    )
    expect(listener.connections()).toBe(before)
  })

  it.each([
    ['a failure of name servers', 'EAI_AGAIN', 'the host name could not be resolved'],
    ['an unknown name', 'ENOTFOUND', 'the host name could not be resolved'],
    ['anything else', 'ESOMETHING', 'ESOMETHING: queryA failed'],
  ])('%s is a failed attempt', async (_what, code, error) => {
    const resolve = async () => {
      throw Object.assign(new Error('queryA failed'), { code })
    }
    const outcome = await withPoster(
      createPoster(refusingRules(), { connectionsPerHost: 1, resolve }),
      (poster) => post(poster, `https://gone.example:${listener.port}/`),
    )
    expect(outcome).toMatchObject({ statusCode: null, responseBody: null, error })
  })

  it('a name that does not exist is a failed attempt, with the resolver of this machine', async () => {
    const outcome = await withPoster(
      createPoster(refusingRules(), { connectionsPerHost: 1 }),
      (poster) => post(poster, `https://no-such-host.invalid:${listener.port}/`),
    )
    expect(outcome.error).toBe('the host name could not be resolved')
  })

  it.each([22, 25, 80, 3306, 5432, 6379, 8080, 8443, 65_535])(
    'port %i is refused if only 443 is allowed',
    async (port) => {
      const rules = { allowPrivate: false, allowedPorts: new Set([443]) }
      const call = resolveAddresses(new URL(`https://93.184.216.34:${port}/`), rules)
      await expect(call).rejects.toThrow(new AddressRefused(`port ${port} is not allowed`))
    },
  )

  it('every allowed port is accepted', async () => {
    const url = (port: string) => new URL(`https://93.184.216.34${port}/`)
    const rules = { allowPrivate: false, allowedPorts: new Set([80, 443, 8443]) }
    for (const port of ['', ':443', ':80', ':8443']) {
      expect(await resolveAddresses(url(port), rules)).toEqual(['93.184.216.34'])
    }
  })
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308, 300])(
    '%i to a loopback address is not followed',
    async (status) => {
      const before = listener.connections()
      const location = `http://127.0.0.1:${listener.port}/`
      const receiver = await startReceiver((_request, response) => {
        response.writeHead(status, { location, refresh: `0; url=${location}` }).end('go there')
      })
      const outcome = await withPoster(
        createPoster(ALLOWING, { connectionsPerHost: 1 }),
        (poster) => post(poster, receiver.url),
      )
      await receiver.close()
      expect(outcome).toMatchObject({ statusCode: status, responseBody: 'go there', error: null })
      expect(receiver.received).toHaveLength(1)
      expect(listener.connections()).toBe(before)
    },
  )
})

describe('https to an IP address', () => {
  it.each(['127.0.0.1', '[::1]'])(
    '%s: the certificate is checked against the address',
    async (host) => {
      const connections: tls.ConnectionOptions[] = []
      const connect = tls.connect
      vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) => {
        connections.push(options)
        return connect({ ...options, host: '127.0.0.1', port: 1 })
      }) as typeof tls.connect)
      await withPoster(createPoster(ALLOWING, { connectionsPerHost: 1 }), (poster) =>
        post(poster, `https://${host}:4433/`),
      )
      // TLS allows no IP address as a server name. Without one, Node checks the certificate against the host.
      expect(connections).toMatchObject([{ host: host.replace(/[[\]]/g, ''), servername: null }])
    },
  )
})

describe('the whole service', () => {
  let t: TestService
  let shop: TestStore
  let stop: () => Promise<void>
  beforeAll(async () => {
    t = await startTestService({
      FLORIN_WEBHOOK_PRIVATE: 'refuse',
      FLORIN_WEBHOOK_PORTS: String(listener.port),
    })
    shop = await t.createStore()
    stop = startLoops(t.service)
  })
  afterAll(async () => {
    await stop()
    await t.close()
  })

  it('refuses all hostile URLs when a payment is created', async () => {
    for (const webhook_url of [...localUrls(), ...unusualUrls(listener.port)]) {
      const body = { amount: 1, currency: 'USD', webhook_url }
      const response = await t.call('POST', '/merchant/payment/create', shop.sandbox, body)
      expect([webhook_url, response.status]).toEqual([webhook_url, 400])
      expect(response.body.errors).toMatchObject([{ field: 'webhook_url' }])
    }
  })

  it('calls no hostile URL that was stored in another way', async () => {
    const before = listener.connections()
    const urls = [...localUrls(), ...unusualUrls(listener.port)].filter((url) => URL.canParse(url))
    const deliveries = await Promise.all(urls.map(makeDelivery))
    const at = new Date()
    await t.database.transaction(async (tx) => {
      await tx.execute(`update event set body = '{}'`)
      await insertDeliveries(tx, deliveries, { at, lease: null })
    })
    t.service.dispatcher.wake()
    await vi.waitFor(
      async () => {
        const [row] = await t.database.query<{ n: number }>(
          'select count(*)::int as n from delivery where attempts = 0',
        )
        expect(row!.n).toBe(0)
      },
      { timeout: 40_000, interval: 100 },
    )
    // Slow name servers can delay the last of them until the first ones are retried.
    const attempts = await t.database.query<{ id: string; code: number | null }>(
      'select payment_id as id, status_code as code from delivery_attempt',
    )
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(urls.length)
    expect(attempts.filter(({ code }) => code !== null)).toEqual([])
    expect(listener.connections()).toBe(before)
  })

  async function makeDelivery(url: string): Promise<Delivery> {
    const { payment_id } = await t.createPayment(shop.sandbox)
    await t.call('POST', `/sandbox/payment/${payment_id}/pay`, shop.sandbox, {})
    return {
      storeId: shop.store.storeId,
      paymentId: payment_id as Delivery['paymentId'],
      sequence: 1,
      mode: 'sandbox',
      url,
      host: new URL(url).host,
      attempts: 0,
      body: '',
      createdAt: new Date(),
    }
  }
})
