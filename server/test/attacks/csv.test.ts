import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCsvSender } from '../../src/api/kit/csvFiles.ts'
import { newLink } from '../setup/links.ts'
import { createPaidPayment } from '../setup/merchantCalls.ts'
import { createPerson } from '../setup/people.ts'
import { startTestService, type TestService } from '../setup/testService.ts'
import { routesOf } from './routes.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const FORMULAS = [
  "=cmd|' /C calc'!A0",
  '+1+1',
  '-2+3',
  '@SUM(1)',
  '\t=1',
  '＝1',
  '\n=1',
  'Bob;=1',
  'Bob\t=1',
  'Bob\n=1',
  ' =1',
  'Bob; -1',
  'Bob"\n"+1;"@x',
  'Bob;"=1',
]

/** A cell that a spreadsheet evaluates as a formula, with any common separator, and with or without spaces. */
const COMPUTED = /(^|[;\t\r\n])\s*[=+\-@＝＋－＠]/

it('no CSV file has a cell that a spreadsheet would evaluate as a formula', async () => {
  const { store, live } = await t.createStore({ name: '=1+1' })
  const { headers } = await createPerson(t, store)
  const payer = await t.createWallet({ balance: '100.00' })
  await t.database.transaction((tx) => tx.execute(`update wallet set name = '=1+1'`, []))
  for (const text of FORMULAS) {
    await createPaidPayment(t, live, payer, {
      client: { name: text, email: '=1@x.example', phone: text },
      amount: 1,
      reference_id: text,
      reference_note: text,
    })
    await newLink(t, live, { title: text, reference_id: text })
    const fund = { mode: 'live', amount: '1', note: text }
    await t.call('POST', `/operator/stores/${store.storeId}/fund`, t.operator, fund)
  }
  const files = (await routesOf(t)).filter(({ responses }) => responses[200]?.content?.['text/csv'])
  expect(files.length).toBeGreaterThanOrEqual(2)
  for (const { path, parameters } of files) {
    const response = await t.call('GET', path.replace('{mode}', 'live'), headers)
    expect(response.status).toBe(200)
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+"$/)
    const cells = [...response.text.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r]*))/g)]
    const texts = cells.map(([, quoted, plain]) => quoted ?? plain!)
    expect(texts.filter((text) => COMPUTED.test(text) || /^[\t\r\n]/.test(text))).toEqual([])
    // Every formula is there, as text.
    const shown = texts.map((text) => text.replaceAll('""', '"').replaceAll("'", ''))
    for (const text of FORMULAS) expect(shown, path).toContain(text.replaceAll("'", ''))
    for (const separator of [';', '\t']) {
      const split = response.text.split(/\r?\n/).flatMap((line) => line.split(separator))
      expect(split.filter((cell) => /^["\s]*[=+\-@＝＋－＠]/.test(cell))).toEqual([])
    }
    const query = '?from=2026-01-01%0d%0aset-cookie:a=b&to=%22;x'
    const injected = await t.call('GET', path.replace('{mode}', 'live') + query, headers)
    // The list of links has no period, so it ignores these parameters.
    expect(injected.status).toBe(parameters.some(({ name }) => name === 'from') ? 400 : 200)
    expect(injected.headers).not.toHaveProperty('set-cookie')
  }
})

it('an error is not sent as a CSV file', async () => {
  const app = fastify()
  const sendCsv = createCsvSender(app, async () => true)
  app.get('/', (request, reply) =>
    sendCsv({ request, reply }, 'payments.csv', () => Promise.reject(new Error('busy'))),
  )
  const { statusCode, headers } = await app.inject('/')
  expect(statusCode).toBe(500)
  expect(headers['content-type']).toContain('application/json')
  expect(headers).not.toHaveProperty('content-disposition')
})
