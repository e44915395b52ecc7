import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compareFiles } from '../compare-files.ts'
import { commentOf } from '../sdk/comment.ts'
import { createSdk, SDK_FOLDER } from '../sdk/create-sdk.ts'
import type { OpenApi, Schema } from '../sdk/document.ts'
import { namesOf } from '../sdk/method-names.ts'
import { readOperations } from '../sdk/operations.ts'
import { typeOf } from '../sdk/write-type.ts'

const ROOT = new URL('../../', import.meta.url)
const document: OpenApi = JSON.parse(readFileSync(new URL('openapi.json', ROOT), 'utf8'))
const operations = readOperations(document)

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

describe('the names of methods', () => {
  const nameOf = (key: string): string | undefined =>
    operations.find(({ method, path }) => `${method} ${path}` === key)?.name.join('.')

  test.each([
    ['GET /agents', 'agents.list'],
    ['GET /agents/{id}', 'agents.get'],
    ['POST /agents', 'agents.create'],
    ['PATCH /agents/{id}', 'agents.update'],
    ['DELETE /api-keys/{id}', 'apiKeys.delete'],
    ['POST /mandates/{id}/activate', 'mandates.activate'],
    ['GET /mandates/{id}/versions', 'mandates.versions'],
    ['POST /gateway/evaluate', 'gateway.evaluate'],
    ['POST /gateway/x402/pay', 'x402.pay'],
    ['POST /gateway/acp/checkouts', 'acp.checkouts.create'],
    ['GET /organization', 'organization.get'],
    ['GET /organization/usage', 'organization.usage'],
    ['POST /webhooks/deliveries/{id}/redeliver', 'webhooks.deliveries.redeliver'],
    ['GET /audit-log/proof', 'auditLog.proof'],
    ['POST /approvals/{id}/decision', 'approvals.decide'],
    ['GET /gateway/mandate-token', 'mandateTokens.get'],
  ])('%s is %s', (key, name) => {
    expect(nameOf(key)).toBe(name)
  })

  test('are as many as the operations', () => {
    expect(operations).toHaveLength(59)
    expect(new Set(operations.map(({ name }) => name.join('.'))).size).toBe(59)
  })

  const named = operations.map(({ id, method, path, paging }) => ({
    ...{ id, method, path },
    isPage: paging !== undefined,
  }))

  test('never clash: two methods with one name, or a method that is also a group', () => {
    const twice = { id: 'again', method: 'GET', path: '/mandates/activate', isPage: false }
    expect(() => namesOf([...named, twice])).toThrow(
      'again and activateMandate are both called mandates.activate. Add an exception.',
    )
    const group = { id: 'inner', method: 'GET', path: '/gateway/evaluate/runs/{id}', isPage: false }
    const rest = { id: 'outer', method: 'POST', path: '/evaluate/runs', isPage: false }
    expect(() => namesOf([...named, group, rest])).toThrow(/outer is called evaluate\.runs/)
  })

  test('have no exception for an operation that is gone', () => {
    const without = named.filter(({ id }) => id !== 'decideApproval')
    expect(() => namesOf(without)).toThrow(/POST \/approvals\/\{id\}\/decision/)
  })

  test('need an exception for a method that no rule names', () => {
    const put = { id: 'put', method: 'PUT', path: '/agents/{id}', isPage: false }
    expect(() => namesOf([...named, put])).toThrow('No rule names PUT /agents/{id}.')
  })
})

describe('an operation that is added to the document', () => {
  const page: Schema = {
    type: 'object',
    required: ['data', 'hasMore', 'nextCursor'],
    properties: {
      data: { type: 'array', items: ref('Invoice') },
      hasMore: { type: 'boolean' },
      nextCursor: { type: ['string', 'null'] },
    },
  }
  const answers = (schema: Schema) => ({ '200': { content: { 'application/json': { schema } } } })
  const added: OpenApi = {
    ...document,
    paths: {
      ...document.paths,
      '/api/v1/invoices': {
        get: {
          operationId: 'listInvoices',
          summary: 'List invoices',
          tags: ['Invoices'],
          parameters: [
            { name: 'cursor', in: 'query', schema: { type: 'string' } },
            { name: 'status', in: 'query', required: true, schema: ref('InvoiceStatus') },
          ],
          responses: answers(ref('InvoiceList')),
        },
      },
      '/api/v1/invoices/{id}/send': {
        post: {
          operationId: 'sendInvoice',
          summary: 'Send an invoice',
          description: 'The customer gets it by e-mail.',
          tags: ['Invoices'],
          requestBody: { content: { 'application/json': { schema: ref('InvoiceInput') } } },
          responses: answers(ref('Invoice')),
        },
      },
    },
    components: {
      schemas: {
        ...document.components.schemas,
        Invoice: {
          type: 'object',
          required: ['total'],
          properties: { total: { type: 'number', description: 'The total.' } },
        },
        InvoiceInput: { type: 'object', properties: { to: { type: 'string' } } },
        InvoiceList: page,
        InvoiceStatus: { type: 'string', enum: ['open', 'paid'] },
        SendInvoiceProblemCode: { type: 'string', enum: ['invoice_not_found'] },
      },
    },
  }
  const files = createSdk(added)
  const textOf = (name: string): string => files.get(SDK_FOLDER + name) ?? ''

  test('is in the table of methods and paths', () => {
    expect(textOf('operations.ts')).toContain(
      [
        '  invoices: {',
        "    list: 'GET /invoices list',",
        "    send: 'POST /invoices/{id}/send body',",
        '  },',
      ].join('\n'),
    )
  })

  test('has a method with its words and its errors', () => {
    expect(textOf('tree.ts')).toContain(
      [
        'export interface InvoicesApi {',
        '  /** List invoices. */',
        '  list(query: ListInvoicesQuery, options?: CallOptions): List<Invoice, InvoiceList>',
        '',
        '  /**',
        '   * Send an invoice.',
        '   *',
        '   * The customer gets it by e-mail.',
        '   *',
        '   * Errors: `invoice_not_found`.',
        '   */',
        '  send(id: string, input?: InvoiceInput, options?: CallOptions): Call<Invoice>',
        '}',
      ].join('\n'),
    )
    expect(textOf('tree.ts')).toContain('  readonly invoices: InvoicesApi\n')
  })

  test('has its types in the file of its tag', () => {
    const types = textOf('types/invoices.ts')
    expect(types).toContain(
      'export interface Invoice {\n  /** The total. */\n  readonly total: number\n}\n',
    )
    expect(types).toContain("export type InvoiceStatus = 'open' | 'paid'\n")
    expect(types).toContain('  readonly status: InvoiceStatus\n')
    expect(textOf('types/index.ts')).toContain("} from './invoices.ts'\n")
  })

  test('is the only difference', () => {
    const changed = [...createSdk(document)].filter(([path, text]) => files.get(path) !== text)
    expect(changed.map(([path]) => path.slice(SDK_FOLDER.length))).toEqual([
      ...['operations.ts', 'tree.ts', 'types/index.ts'],
    ])
  })
})

describe('a schema', () => {
  test.each<[string, Schema, string]>([
    ['that may be null', { type: ['string', 'null'] }, 'string | null'],
    ['with one value', { type: 'string', const: "it's" }, "'it\\'s'"],
    ['of numbers', { type: 'array', items: { type: 'integer' } }, 'readonly number[]'],
    [
      'of a list that may be null inside',
      { type: 'array', items: { type: ['string', 'null'] } },
      'readonly (string | null)[]',
    ],
    [
      'that later versions extend',
      { anyOf: [ref('Scope'), { type: ['string', 'null'] }] },
      'Scope | (string & {}) | null',
    ],
    [
      'of names and values',
      { type: 'object', additionalProperties: { type: 'string' } },
      'Readonly<Record<string, string>>',
    ],
    ['of anything', {}, 'unknown'],
    ['that joins others', { allOf: [ref('A'), ref('B')] }, 'A & B'],
    [
      'with fields',
      { type: 'object', required: ['a'], properties: { a: {}, 'b-c': { type: 'null' } } },
      "{\n  readonly a: unknown\n  readonly 'b-c'?: null | undefined\n}",
    ],
  ])('%s has its type', (_, schema, type) => {
    expect(typeOf(schema)).toBe(type)
  })

  test('of an unknown type is refused', () => {
    expect(() => typeOf({ type: 'date' })).toThrow('No rule writes the type date.')
  })

  test('cannot end its own comment', () => {
    expect(commentOf('Proxy-*/ and more').match(/\*\//g)).toHaveLength(1)
  })
})

test('the differences of generated files are those with other contents, and those left over', async () => {
  const root = await mkdtemp(join(tmpdir(), 'purser-generated-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'made/inner'), { recursive: true })
  await writeFile(join(root, 'made/same.ts'), 'same')
  await writeFile(join(root, 'made/old.ts'), 'old')
  await writeFile(join(root, 'made/inner/gone.ts'), 'gone')
  const files = new Map([
    ['made/same.ts', 'same'],
    ['made/old.ts', 'new'],
    ['made/new.ts', ''],
  ])
  expect(await compareFiles(root, files, ['made', 'nowhere'])).toEqual({
    stale: ['made/old.ts', 'made/new.ts'],
    leftOver: ['made/inner/gone.ts'],
  })
})

test('the committed files are those of openapi.json', async () => {
  const differences = await compareFiles(fileURLToPath(ROOT), createSdk(document), [SDK_FOLDER])
  expect(differences).toEqual({ stale: [], leftOver: [] })
})
