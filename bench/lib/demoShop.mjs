import { fileURLToPath } from 'node:url'
import { open } from '../rates/fixtures.mjs'
import { mustBeDurable } from './checks.mjs'
import { startChild } from './child.mjs'
import { mustBe } from './figures.mjs'
import { usePostgres } from './postgres.mjs'
import { startService } from './service.mjs'

const CONNECTIONS = 64

/** Starts a service with the demo store, and opens its database. */
export async function openDemoService(cleanups) {
  const service = await startService()
  cleanups.push(service.stop)
  const url = await usePostgres(service.folder, cleanups)
  const database = open(url)
  cleanups.push(() => database.close())
  await mustBeDurable(database)
  return { service, url, database }
}

/** Starts a service with the demo store and a load generator, signs in the live wallets, and opens the database. */
export async function openDemoShop(cleanups) {
  const { service, database } = await openDemoService(cleanups)
  const load = await startChild(fileURLToPath(new URL('./load.mjs', import.meta.url)), {})
  cleanups.push(() => load.stop())

  const { live, wallets } = service.demo
  const payers = await Promise.all(
    wallets
      .filter(({ mode }) => mode === 'live')
      .map(({ phone, pin }) => post(`${service.origin}/wallet/session`, {}, { phone, pin })),
  )
  return {
    service,
    database,
    keys: live,
    shop: { apiKey: live.api_key, apiSecret: live.api_secret },
    payerOf: (n) => payers[n % payers.length],
    send: async (requests, options = {}) => {
      const { port } = service
      const sent = await load.call('send', { port, connections: CONNECTIONS, requests, ...options })
      mustBe(sent.responses, requests.length, 'responses')
      return sent
    },
  }
}

export async function post(url, headers, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  mustBe(response.status, 200, url)
  return (await response.json()).data
}
