import { expect } from 'vitest'
import type { App } from '../../src/http/app.ts'
import type { AnswerBody } from './answer-body.ts'
import { expectDeclaredHeaders } from './header-check.ts'
import { codesIn, listOperations, type Method, type Operation, readDocument } from './operations.ts'
import { createSchemaCompiler } from './schema-compiler.ts'

interface CheckedAnswer {
  readonly status: number
  readonly body: AnswerBody
  readonly headers: Readonly<Record<string, unknown>>
}

type AnswerCheck = (method: Method, url: string, answer: CheckedAnswer) => void

/**
 * Fails a test whose answer does not match the OpenAPI document. The document is the same for every
 * app, so all apps of the process share the compiled schemas of the first one.
 */
export function answerCheck(app: App): Promise<AnswerCheck> {
  shared ??= createAnswerCheck(app)
  return shared
}

let shared: Promise<AnswerCheck> | undefined

async function createAnswerCheck(app: App): Promise<AnswerCheck> {
  const document = await readDocument(app)
  const operations = listOperations(document).map(withPattern)
  const { compile, errorsOf } = createSchemaCompiler(document)

  return (method, url, { status, body, headers }) => {
    // A trailing slash is ignored.
    const path = (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '')
    const operation = operations.find(({ isFor }) => isFor(method, path))
    // An address with encoded letters looks like that of an operation, but no operation accepts it.
    if (!operation || body.code === 'route_not_found') {
      return expect(status, `${method} ${url}`).toBeGreaterThanOrEqual(400)
    }
    const key = `${operation.operationId} ${status}`
    const declared = operation.responses[status]
    expect(declared, `${key} ${body.code} is not declared`).toBeDefined()
    if (status >= 400) {
      expect(codesIn(declared), `${key} does not declare this code`).toContain(body.code)
    }
    if (declared) expectDeclaredHeaders(document, key, declared, headers)
    const [type = ''] = String(headers['content-type']).split(';')
    const content = declared?.content[type]
    expect(content, `${key} does not declare the content ${type}`).toBeDefined()
    if (!/[/+]json$/.test(type)) return
    const validate = compile(content?.schema ?? {})
    expect(validate(body), `${key}: ${errorsOf(validate)}`).toBe(true)
  }
}

function withPattern(operation: Operation) {
  const pattern = operation.path.replace('/api/v1', '').replace(/\{[^}]+\}/g, '[^/]+')
  const expression = new RegExp(`^${pattern}$`)
  const isFor = (method: Method, path: string): boolean =>
    operation.method === method && expression.test(path)
  return { ...operation, isFor }
}
