import { fileURLToPath } from 'node:url'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../setup/testService.ts'
import { type Document, operationsOf, readDocument, readServed, type Schema } from './contract.ts'

const { Spectral } = spectralCore

let t: TestService
let document: Document
let served: Document
beforeAll(async () => {
  t = await startTestService()
  document = await readDocument(t)
  served = await readServed(t)
})
afterAll(() => t.close())

async function lintWithRedocly(linted: unknown): Promise<string[]> {
  const configPath = fileURLToPath(new URL('../../../redocly.yaml', import.meta.url))
  const config = await loadConfig({ configPath })
  const problems = await lintFromString({ source: JSON.stringify(linted), config })
  return problems.map(({ severity, ruleId, message, location }) =>
    [severity, ruleId, message, location[0]?.pointer].join(' '),
  )
}

async function lintWithSpectral(linted: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [oas as RulesetDefinition], rules: SPECTRAL_EXCEPTIONS })
  const problems = await spectral.run({ ...linted })
  return problems.map(({ code, message, path }) => [code, message, path.join('/')].join(' '))
}

const SPECTRAL_EXCEPTIONS = {
  // A summary is enough for the endpoints of our own apps. A test below requires descriptions for those of merchants.
  'operation-description': 'off',
  // Since OpenAPI 3.1 every security scheme can have scopes. This rule accepts only those of OAuth.
  'oas3-operation-security-defined': 'off',
} as const

describe.each([
  ['Redocly', lintWithRedocly, ['summary', 'security']],
  ['Spectral', lintWithSpectral, ['operationId', 'tags']],
] as const)('%s', (_name, problemsOf, required) => {
  it('finds no errors and no warnings', async () => {
    expect(await problemsOf(served)).toEqual([])
  })

  it('finds two missing fields of an operation', async () => {
    const fields = Object.entries(served.paths['/merchant/balance']!.get!)
    const incomplete = Object.fromEntries(
      fields.filter(([name]) => !required.some((missing) => missing === name)),
    )
    const paths = { ...served.paths, '/merchant/balance': { get: incomplete } }
    expect(await problemsOf({ ...served, paths })).toHaveLength(2)
  })
})

/** The paths of the fields of a schema that have no description. */
function findUndescribed(schema: Schema, path: string): string[] {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const undescribedFields = fields.flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [...(field.description ? [] : [at]), ...findUndescribed(field, at)]
  })
  return schema.items
    ? [...undescribedFields, ...findUndescribed(schema.items as Schema, path)]
    : undescribedFields
}

describe('descriptions', () => {
  it('exist for every parameter, and every field of request bodies and responses', () => {
    const found = operationsOf(document).flatMap((operation) => {
      const { operationId, parameters, requestBody, responses } = operation
      const bodies = [requestBody ?? {}, ...Object.values(responses)].flatMap((message) =>
        Object.values(('content' in message && message.content) || {}),
      )
      return [
        ...parameters.filter((parameter) => !('description' in parameter)).map(({ name }) => name),
        ...bodies.flatMap(({ schema }) => findUndescribed(schema, '')),
      ].map((field) => `${operationId}: ${field}`)
    })
    expect([...new Set(found)]).toEqual([])
  })

  it('exist for every field of webhooks', () => {
    const body = document.components.schemas!.WebhookBody as Schema
    expect(Object.keys(body.properties as object)).toContain('data')
    expect(findUndescribed(body, '')).toEqual([])
  })

  it('exist for every merchant endpoint', () => {
    const merchantOperations = operationsOf(document).filter(({ tags }) =>
      ['Merchant', 'Webhooks', 'Sandbox'].includes(tags![0]!),
    )
    expect(merchantOperations.length).toBeGreaterThan(14)
    for (const operation of merchantOperations)
      expect(operation, operation.operationId).toHaveProperty('description')
  })
})
