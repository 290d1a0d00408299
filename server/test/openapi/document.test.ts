import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../setup/testService.ts'
import {
  type Document,
  type Operation,
  operationsOf,
  parts,
  readDocument,
  readServed,
} from './contract.ts'

let t: TestService
let document: Document
let operations: Operation[]
beforeAll(async () => {
  t = await startTestService()
  document = await readDocument(t)
  operations = operationsOf(document)
})
afterAll(() => t.close())

const OPTIONAL_BODIES = [
  'payPayment',
  'payLink',
  'sandboxPay',
  'rotateCredential',
  'rotateKey',
  'simulatePayer',
  'exportPayer',
  'resetWallet',
  'startLedgerAudit',
]

describe('document', () => {
  it('has the required merchant endpoints', () => {
    const named = operations.map(({ method, path }) => `${method} ${path}`)
    expect(named).toEqual(
      expect.arrayContaining([
        'POST /merchant/payment/create',
        'GET /merchant/payment/{paymentId}',
        'GET /merchant/payment/{paymentId}/status',
        'POST /merchant/payment/{paymentId}/refund',
      ]),
    )
  })

  it('is OpenAPI 3.1 with title, version and servers', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toMatchObject({
      title: 'Florin',
      version: expect.stringMatching(/^\d+\./),
    })
    expect(document.servers.length).toBeGreaterThan(0)
    const known = ['openapi', 'info', 'servers', 'paths', 'components', 'tags', 'webhooks']
    expect(Object.keys(document).filter((key) => !known.includes(key))).toEqual([])
  })

  it('gives every operation a unique id, a summary, a known tag and a successful response', () => {
    const ids = operations.map((operation) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = document.tags.map((tag) => tag.name)
    for (const operation of operations) {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/)
      expect(operation.summary, operation.operationId).toMatch(/\S/)
      expect(operation.tags).toHaveLength(1)
      expect(tags).toContain(operation.tags![0])
      expect(Object.keys(operation.responses)).toContain('200')
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(status).toMatch(/^[1-5]\d\d$/)
        expect(response.description).toMatch(/\S/)
        // Only a successful response can be an image or plain text.
        const types = Object.keys(response.content ?? {})
        if (status === '304') {
          expect(types).toEqual([])
          continue
        }
        expect(types.length).toBeGreaterThan(0)
        if (status !== '200') expect(types).toEqual(['application/json'])
      }
    }
  })

  it('declares exactly the parameters of the path', () => {
    for (const { path, parameters, operationId } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = parameters.filter((parameter) => parameter.in === 'path')
      expect(declared.map(({ name }) => name).sort(), operationId).toEqual(inPath.sort())
      expect(declared.every(({ required }) => required === true)).toBe(true)
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect(new Set(names).size).toBe(names.length)
      for (const parameter of parameters) {
        expect(['path', 'query', 'header']).toContain(parameter.in)
        expect(parameter.schema).toBeTypeOf('object')
      }
    }
  })

  /** Endpoints without credentials: sign-in, setup, forgotten passwords and the links of emails. */
  const OPEN = [
    'signInOperator',
    'getOperatorSignInOptions',
    'signInOperatorWithPasskey',
    'signInPerson',
    'getPersonSignInOptions',
    'signInPersonWithPasskey',
    'getSetup',
    'setUp',
    'forgotPersonPassword',
    'openPersonPasswordLink',
    'resetPersonPasswordByLink',
    'forgotOperatorPassword',
    'openOperatorPasswordLink',
    'resetOperatorPasswordByLink',
  ]
  const OPEN_WALLET = ['signIn', 'activateWallet', 'signUp']

  it('declares the credentials of every operation, and defines them', () => {
    for (const { path, security, responses, operationId } of operations) {
      const names = (security ?? []).flatMap((scheme) => Object.keys(scheme)).sort()
      const expected = /^\/(merchant|sandbox)\//.test(path)
        ? ['apiKey', 'apiSecret']
        : /^\/(operator|metrics)/.test(path)
          ? OPEN.includes(operationId)
            ? []
            : path === '/metrics'
              ? ['bearer']
              : ['bearer', 'operator']
          : path.startsWith('/wallet/') && !OPEN_WALLET.includes(operationId)
            ? ['bearer', 'wallet']
            : path.startsWith('/store/') && !OPEN.includes(operationId)
              ? ['person']
              : []
      expect(names, operationId).toEqual(expected)
      for (const name of names) expect(document.components.securitySchemes).toHaveProperty(name)
      if (names.length > 0) expect(responses).toHaveProperty('401')
    }
  })

  it('declares Retry-After for temporary refusals, also for a key that is in use', () => {
    for (const { parameters, responses, operationId } of operations) {
      const takesKey = parameters.some(({ name }) => name === 'idempotency-key')
      const expected = Object.keys(responses).filter((status) =>
        ['429', '503', ...(takesKey ? ['409'] : [])].includes(status),
      )
      const declared = Object.entries(responses).filter(
        ([, { headers = {} }]) => 'retry-after' in headers,
      )
      expect(
        declared.map(([status]) => status),
        operationId,
      ).toEqual(expected)
      if (takesKey) expect(expected).toContain('409')
    }
  })

  it('declares Idempotent-Replayed for every successful response to a key', () => {
    for (const { parameters, responses, operationId } of operations) {
      const takesKey = parameters.some(({ name }) => name === 'idempotency-key')
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const isReplayable = takesKey && status.startsWith('2')
        expect('idempotent-replayed' in headers, `${operationId} ${status}`).toBe(isReplayable)
      }
    }
  })

  it('declares the types of request bodies, and which bodies are optional', () => {
    const optionalBodies: string[] = []
    for (const { method, requestBody, operationId } of operations) {
      if (method === 'GET' || method === 'DELETE') expect(requestBody).toBeUndefined()
      if (requestBody === undefined) continue
      const types =
        operationId === 'uploadLogo' ? ['image/png', 'image/jpeg'] : ['application/json']
      expect(Object.keys(requestBody.content), operationId).toEqual(types)
      if (!requestBody.required) optionalBodies.push(operationId)
    }
    expect(optionalBodies.toSorted()).toEqual(OPTIONAL_BODIES.toSorted())
  })

  it('has no broken references and no extensions of the generator', async () => {
    const served = await readServed(t)
    for (const part of parts(served)) {
      if (typeof part.$ref === 'string') {
        const target = part.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>(
            (value, key) => (value as Record<string, unknown> | undefined)?.[key],
            served,
          )
        expect(target, part.$ref).toBeDefined()
      }
      expect(
        Object.keys(part).filter((key) => /^x-(?!roles$|permission$|request-id$)|^~/.test(key)),
      ).toEqual([])
    }
    expect(JSON.stringify(served).match(/def-\d|Default Response/g)).toBeNull()
  })

  it('has schemas with the types and keywords of JSON Schema 2020-12', () => {
    const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
    for (const part of parts(
      operations.map(({ requestBody, responses }) => [requestBody, responses]),
    )) {
      if (part.type === undefined || (typeof part.type === 'object' && !Array.isArray(part.type)))
        continue
      expect(TYPES).toEqual(expect.arrayContaining([part.type].flat()))
      // Keywords of OpenAPI 3.0.
      expect(part).not.toHaveProperty('nullable')
      expect(part.exclusiveMinimum).not.toBe(true)
      if (Array.isArray(part.required)) {
        const names = Object.keys((part.properties as object) ?? {})
        expect(names).toEqual(expect.arrayContaining(part.required))
      }
      if (typeof part.pattern === 'string')
        expect(() => new RegExp(part.pattern as string, 'u')).not.toThrow()
      if (Array.isArray(part.enum)) expect(new Set(part.enum).size).toBe(part.enum.length)
    }
  })

  it('is the same for every request', async () => {
    expect(await readDocument(t)).toEqual(document)
  })
})
