import { assert } from 'vitest'
import type { App } from '../../src/http/app.ts'
import type { AnswerBody } from './answer-body.ts'
import { expectDeclaredHeaders } from './header-check.ts'
import { codesIn, listOperations, type Method, type Operation, readDocument } from './operations.ts'
import { schemaCompilerOf } from './schema-compiler.ts'

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
  const { compile, errorsOf } = schemaCompilerOf(document)

  function mistakeIn(
    { operationId, responses }: Operation,
    { status, body, headers }: CheckedAnswer,
  ): string | undefined {
    const declared = responses[status]
    if (!declared) return `${body.code} is not declared`
    if (status >= 400 && !codesIn(declared).includes(String(body.code))) {
      return `does not declare the code ${body.code}`
    }
    expectDeclaredHeaders(document, `${operationId} ${status}`, declared, headers)
    const [type = ''] = String(headers['content-type']).split(';')
    const content = declared.content[type]
    if (!content) return `does not declare the content ${type}`
    if (!/[/+]json$/.test(type)) return undefined
    const validate = compile(content.schema)
    return validate(body) ? undefined : errorsOf(validate)
  }

  // Every answer of every test comes here: `expect` would take a tenth of the CPU of such a test.
  return (method, url, answer) => {
    // A trailing slash is ignored.
    const path = (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '')
    const operation = operations.find(({ isFor }) => isFor(method, path))
    // An address with encoded letters looks like that of an operation, but no operation accepts it.
    const isRouted = operation && answer.body.code !== 'route_not_found'
    const notRefused = answer.status < 400 ? 'no operation has this address' : undefined
    const mistake = isRouted ? mistakeIn(operation, answer) : notRefused
    if (mistake !== undefined) assert.fail(`${method} ${url} ${answer.status}: ${mistake}`)
  }
}

function withPattern(operation: Operation) {
  const pattern = operation.path.replace('/api/v1', '').replace(/\{[^}]+\}/g, '[^/]+')
  const expression = new RegExp(`^${pattern}$`)
  const isFor = (method: Method, path: string): boolean =>
    operation.method === method && expression.test(path)
  return { ...operation, isFor }
}
