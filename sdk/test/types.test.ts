import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { expect, it } from 'vitest'
import {
  type Document,
  operationsOf,
  readDocument,
  readServed,
} from '../../server/test/openapi/contract.ts'
import { startTestService } from '../../server/test/setup/testService.ts'

const agreement = fileURLToPath(new URL('agreement.ts', import.meta.url))

type Properties = Record<string, Record<string, unknown>>
type Schema = { properties: Properties; required: string[] }

const isMerchantPath = (path: string) => /^\/(merchant|sandbox)\//.test(path)

/** The merchant's part of the OpenAPI document: as it is served, and with its references resolved. */
async function merchantPart(): Promise<{ served: Document; resolved: Document }> {
  const t = await startTestService()
  const served = withPaths(await readServed(t), isMerchantPath)
  const resolved = withPaths(await readDocument(t), isMerchantPath)
  await t.close()
  return { served, resolved }
}

function withPaths(document: Document, isWanted: (path: string, item: object) => boolean) {
  const paths = Object.entries(document.paths).filter(([path, item]) => isWanted(path, item))
  return { ...document, paths: Object.fromEntries(paths) }
}

/** The types of a document, and one line per operation that compiles if the SDK matches. */
async function sourceOf(document: Document): Promise<string> {
  const types = await openapiTS(document as unknown as OpenAPI3, { emptyObjectsUnknown: true })
  const lines = operationsOf(document).map(
    ({ operationId }) =>
      `export const ${operationId}: Agreement<operations>['${operationId}'] = true`,
  )
  return [`import type { Agreement } from '${agreement}'`, astToString(types), ...lines].join('\n')
}

/** The compiler's errors per source. */
function compile(files: readonly string[]): string[][] {
  const program = ts.createProgram(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  })
  return files.map((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map((error) => /const (\w+):/.exec(lineOf(error))?.[1] ?? String(error.messageText)),
  )
}

function lineOf({ file, start = 0 }: ts.Diagnostic): string {
  const before = file?.text.lastIndexOf('\n', start) ?? 0
  return file?.text.slice(before + 1).split('\n')[0] ?? ''
}

const responseOf = (document: Document, path: string) =>
  (
    document.paths[path]!.get!.responses['200']!.content!['application/json']!.schema
      .properties as Properties
  ).data as unknown as Schema
const bodyOf = (document: Document, path: string) =>
  document.paths[path]!.post!.requestBody!.content['application/json']!.schema as unknown as Schema

const PAYMENT = '/merchant/payment/{paymentId}'
const CREATE = '/merchant/payment/create'

/** Possible changes of the service, each with the operation whose types must then no longer match. */
const CHANGES: [operationId: string, change: (document: Document) => void][] = [
  ['getPayment', (document) => void delete responseOf(document, PAYMENT).properties.refund],
  ['getPayment', (document) => add(responseOf(document, PAYMENT), 'tip', { type: 'string' })],
  ['getPayment', (document) => add(responseOf(document, PAYMENT), 'amount', { type: 'number' })],
  ['getPayment', (document) => void responseOf(document, PAYMENT).required.pop()],
  [
    'getBalance',
    (document) => add(responseOf(document, '/merchant/balance'), 'held', { type: 'string' }),
  ],
  ['createPayment', (document) => add(bodyOf(document, CREATE), 'tip', { type: 'number' })],
  ['createPayment', (document) => void bodyOf(document, CREATE).required.push('client')],
  ['createPayment', (document) => add(bodyOf(document, CREATE), 'locale', { enum: ['en', null] })],
  ['listPayments', (document) => void document.paths['/merchant/payments']!.get!.parameters.pop()],
  ['somethingNew', (document) => add(document.paths, '/merchant/new', newPath(document))],
]
const add = (schema: Schema | Document['paths'], name: string, value: object) =>
  void Object.assign('properties' in schema ? schema.properties : schema, { [name]: value })
const newPath = (document: Document) => ({
  get: { ...document.paths[PAYMENT]!.get!, operationId: 'somethingNew' },
})

it('the types match the OpenAPI document, and do not compile with a changed one', async () => {
  const { served, resolved } = await merchantPart()
  const changed = CHANGES.map(([operationId, change]) => {
    const copy = structuredClone(resolved)
    change(copy)
    return withPaths(copy, (_, item) => JSON.stringify(item).includes(`"${operationId}"`))
  })
  const folder = await mkdtemp(join(tmpdir(), 'florin-types-'))
  const files: string[] = []
  for (const [index, document] of [served, ...changed].entries()) {
    files.push(join(folder, `${index}.ts`))
    await writeFile(files[index]!, await sourceOf(document))
  }
  const [found, ...foundInChanged] = compile(files)
  await rm(folder, { recursive: true })
  expect(found).toEqual([])
  expect(foundInChanged).toEqual(CHANGES.map(([operationId]) => [operationId]))
})
