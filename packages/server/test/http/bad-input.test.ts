import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, aKey } from '../support/builders.ts'
import {
  exampleBody,
  listOperations,
  type Operation,
  parametersOf,
  readDocument,
  type Schema,
} from '../support/operations.ts'
import { dumpTables } from '../support/tables.ts'
import { createBadValues } from './bad-values.ts'

/*
 * Everything here is made from the OpenAPI document, over every operation: a new endpoint is covered
 * by having been documented.
 */

const app: TestApp = await createTestApp()
const document = await readDocument(app.app)
const operations = listOperations(document)
const bad = createBadValues(document)
const withBody = operations.filter((operation) => operation.body !== undefined)
const withQuery = operations.filter((operation) => parametersOf(operation, 'query').length > 0)
const withId = operations.filter(({ path }) => path.includes('{id}'))
const withoutBody = operations.filter(({ method, body }) => method !== 'GET' && !body)

let acme: Owner
/** What stands for an id in the examples of the document, and what really is there. */
let ids: ReadonlyMap<string, string>

beforeAll(async () => {
  acme = await app.organization()
  ids = await realIds(acme)
})
afterAll(() => app.stop())

async function realIds(owner: Owner): Promise<ReadonlyMap<string, string>> {
  const draft = await aDraft(owner)
  const { key } = await aKey(app, owner)
  return new Map([
    ['019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11', draft.agentId],
    ['mnd_019a85617c5e7d409b5e6f1f0a3c2b11', draft.id],
    ['key_019a85617c5e7d409b5e6f1f0a3c2b11', key.id],
  ])
}

/** The address of the operation with an id that exists. */
function urlOf(operation: Operation, id = idFor(operation)): string {
  return operation.path.replace('/api/v1', '').replace('{id}', id)
}

function idFor(operation: Operation): string {
  const [parameter] = parametersOf(operation, 'path')
  const example = String(parameter?.example ?? parameter?.schema.examples?.[0])
  return ids.get(example) ?? example
}

/** A body that would be accepted: the example of the document, with ids that exist. */
function goodBody(operation: Operation): Record<string, unknown> {
  const example = exampleBody(document, operation)
  const text = [...ids].reduce(
    (body, [from, to]) => body.replaceAll(from, to),
    JSON.stringify(example ?? {}),
  )
  return JSON.parse(text)
}

const json = { 'content-type': 'application/json' }

function send(operation: Operation, payload: string | Buffer, headers = json): Promise<Answer> {
  return acme.send(operation.method, urlOf(operation), { payload, headers })
}

function expectRefusal({ status, body, text }: Answer, what: string): void {
  expect(status, `${what}: ${text}`).toBeGreaterThanOrEqual(400)
  expect(status, `${what}: ${text}`).toBeLessThan(500)
  expect(body.code, what).toMatch(/^[a-z_]+$/)
  expect(text, what).not.toMatch(/node_modules|\.ts:|syntax error|SQLSTATE|select .* from/i)
}

/** All rows after the test before. No test changes any, so it is also what the next one begins with. */
let rows: string | undefined

async function expectNothingChanged(run: () => Promise<void>): Promise<void> {
  const before = rows ?? (await dumpTables(app.database.db))
  await run()
  rows = await dumpTables(app.database.db)
  expect(rows).toBe(before)
}

/** Some bodies may be left out altogether. */
const mayBeMissing = ({ requestBody }: Operation) => requestBody?.required !== true

const named = (list: readonly Operation[]) =>
  list.map((operation) => [operation.operationId, operation] as const)

describe('a parameter that the query does not take is refused and named', () => {
  test.each(named(operations))('%s', async (_, operation) => {
    const payload = operation.body && JSON.stringify(goodBody(operation))
    const request = payload === undefined ? {} : { payload, headers: json }
    const url = `${urlOf(operation)}?x%2Fy=1`
    const { status, body } = await acme.send(operation.method, url, request)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors).toMatchObject([{ path: '/x~1y', code: 'unknown_field' }])
  })
})

describe('a body with a mistake in one field is refused, the field named, nothing changed', () => {
  test.each(named(withBody))('%s', async (_, operation) => {
    const good = goodBody(operation)
    const mistakes = bad
      .of(operation.body as Schema, good)
      .filter(({ value }) => value !== null || !mayBeMissing(operation))
    expect(mistakes.length).toBeGreaterThan(5)
    await expectNothingChanged(async () => {
      for (const { value, pointer, mistake } of mistakes) {
        const what = `${pointer || 'the body'} ${mistake}`
        const answer = await send(operation, JSON.stringify(value))
        expectRefusal(answer, what)
        expect([answer.status, answer.body.code], what).toEqual([400, 'validation_failed'])
        const paths = answer.body.errors.map(({ path }) => path)
        const isNamed = paths.some((path) => `${path}/`.startsWith(`${pointer}/`))
        expect(isNamed, `${what}: ${paths.join()}`).toBe(true)
      }
    })
  })
})

describe('a body that is not strict JSON is refused, nothing changed', () => {
  const deep = `${'['.repeat(33)}${']'.repeat(33)}`
  const field = (operation: Operation): string => Object.keys(goodBody(operation))[0] ?? 'x'

  function hostile(operation: Operation): [string, string | Buffer][] {
    const good = JSON.stringify(goodBody(operation))
    const name = JSON.stringify(field(operation))
    const plus = (member: string) => good.replace(/\}$/, `${good === '{}' ? '' : ','}${member}}`)
    return [
      ['a key twice', `{${name}:1,${name}:1}`],
      [
        'a key twice, once escaped',
        `{${name}:1,${name.replace(/"./, '"\\u00$&')}:1}`.replace('"\\u00"', '"\\u00'),
      ],
      ['NUL in a value', plus('"unexpected":"\\u0000"')],
      ['NUL in a key', plus('"\\u0000":1')],
      ['half a surrogate pair', plus('"unexpected":"\\ud800"')],
      ['33 levels', plus(`"unexpected":${deep}`)],
      ['__proto__', plus('"__proto__":{"admin":true}')],
      ['constructor', plus('"constructor":{"prototype":{"admin":true}}')],
      ['too many digits', plus('"unexpected":0.12345678901234567890')],
      ['1e999', plus('"unexpected":1e999')],
      [
        'invalid UTF-8',
        Buffer.concat([Buffer.from('{"unexpected":"'), Buffer.from([0xff, 0x22, 0x7d])]),
      ],
      ['a byte order mark', `\ufeff${good}`],
      ['no JSON', 'name=Research'],
      ['half of it', good.slice(0, -1)],
      ['something after it', `${good}x`],
      ['an array', '[]'],
      ['the right object in an array', `[${good}]`],
      ...(mayBeMissing(operation) ? [] : [['null', 'null'] as [string, string]]),
      ['a text', '"text"'],
      ['a number', '1'],
    ]
  }

  test.each(named([...withBody, ...withoutBody]))('%s', async (_, operation) => {
    await expectNothingChanged(async () => {
      for (const [what, payload] of hostile(operation)) {
        const answer = await send(operation, payload)
        expectRefusal(answer, what)
        expect(answer.status, what).toBe(400)
      }
    })
  })

  test.each(named([...withBody, ...withoutBody]))(
    '%s: too large, or of another type',
    async (_, operation) => {
      const good = JSON.stringify(goodBody(operation))
      await expectNothingChanged(async () => {
        const size = operation.operationId === 'payX402' ? 2_097_153 : 262_145
        const large = await send(operation, `${good}${' '.repeat(size - good.length)}`)
        expect([large.status, large.body.code]).toEqual([413, 'body_too_large'])
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/xml',
          'json',
          '',
        ]) {
          const answer = await send(operation, good, { 'content-type': type })
          expect([answer.status, answer.body.code], type).toEqual([415, 'unsupported_media_type'])
        }
      })
    },
  )

  test.each(named(withBody.filter((operation) => !mayBeMissing(operation))))(
    '%s: no body at all',
    async (_, operation) => {
      await expectNothingChanged(async () => {
        for (const answer of [
          await send(operation, ''),
          await acme.send(operation.method, urlOf(operation)),
        ]) {
          expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
        }
      })
    },
  )
})

describe('a number that no double holds is refused where a number belongs', () => {
  test.each(['1e999', '-1e999', '12345678901234567890', '1e-320', '0.1234567'])(
    '%s',
    async (number) => {
      const payload = `{"agentId":"${[...ids.values()][0]}","budgetTotal":${number}}`
      const answer = await acme.send('POST', '/mandates', { payload, headers: json })
      expect(answer.status).toBe(400)
    },
  )
})

describe('an id of the wrong form in the path is refused and named', () => {
  test.each(named(withId))('%s', async (_, operation) => {
    const good = idFor(operation)
    const wrong = ['x', '1', good.toUpperCase(), `${good}0`, good.slice(1), `x${good}`]
    const encoded = ['%00', '..%2f..', `%20${good}`, "'%20or%201=1--"]
    await expectNothingChanged(async () => {
      for (const id of wrong) {
        const url = urlOf(operation, id)
        const payload = operation.body ? JSON.stringify(goodBody(operation)) : ''
        const answer = await acme.send(operation.method, url, { payload, headers: json })
        expectRefusal(answer, id)
        expect([answer.status, answer.body.errors[0]?.path], id).toEqual([400, '/id'])
      }
      for (const id of encoded) {
        const answer = await acme.send(operation.method, urlOf(operation, id))
        expect([answer.status, answer.body.code], id).toEqual([404, 'route_not_found'])
      }
      expectRefusal(await acme.send(operation.method, urlOf(operation, 'x'.repeat(500))), 'long id')
    })
  })
})

describe('a query with a mistake is refused, the parameter named', () => {
  const NUMBERS = ['', 'x', '1e999', '--1', '0x10', '-1']
  const WRONG_FOR_TYPE: Readonly<Record<string, readonly string[]>> = {
    integer: [...NUMBERS, '1.5'],
    number: NUMBERS,
    boolean: ['', '1', 'yes'],
  }

  function wrongValues({ type = '', maximum, minimum, maxLength, ...schema }: Schema): string[] {
    const isBound = schema.enum ?? schema.format ?? schema.pattern
    return [
      '%00',
      '%0d%0aset-cookie:x',
      ...(WRONG_FOR_TYPE[String(type)] ?? []),
      ...(maximum === undefined ? [] : [`${maximum + 1}`]),
      ...(minimum === undefined ? [] : [`${minimum - 1}`]),
      ...(isBound ? ['', '%C2%A7%20no'] : []),
      ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ]
  }

  test.each(named(withQuery))('%s', async (_, operation) => {
    for (const { name, schema } of parametersOf(operation, 'query')) {
      const wrong = wrongValues(schema).map((value) => `${name}=${value}`)
      for (const query of [...wrong, `${name}=1&${name}=1`]) {
        const answer = await acme.send(operation.method, `${urlOf(operation)}?${query}`)
        expectRefusal(answer, query)
        expect(
          answer.body.errors.map(({ path }) => path),
          query,
        ).toContain(`/${name}`)
      }
    }
    const answer = await acme.send(operation.method, `${urlOf(operation)}?unexpected=1`)
    expect([answer.status, answer.body.errors[0]?.path]).toEqual([400, '/unexpected'])
  })
})
