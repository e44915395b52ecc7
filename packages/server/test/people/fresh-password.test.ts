import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { listConsoleRoutes } from '../support/console-routes.ts'
import { listOperations, readDocument } from '../support/operations.ts'
import { aMember, PASSWORD, type Person } from '../support/people.ts'
import { ABOVE, asked, type Change, MOVES, STOPS } from './money-changes.ts'

const MINUTE_MS = 60_000

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  bodyOf(await acme.patch('/organization', { approvalPasswordAbove: ABOVE }))
})
afterAll(() => app.stop())

const byPerson = (person: Person, { method, url, body }: Change): Promise<Answer> =>
  person.send(method, `/api/v1${url}`, body)

function byKey({ method, url, body }: Change): Promise<Answer> {
  if (method === 'DELETE') return acme.delete(url)
  return method === 'PATCH' ? acme.patch(url, body) : acme.post(url, body)
}

/** Lets so much time go by that a password is no longer fresh. */
async function minutesLater(act: () => Promise<void>): Promise<void> {
  try {
    app.clock.now = Date.now() + 6 * MINUTE_MS
    await act()
  } finally {
    app.clock.now = undefined
    bodyOf(await acme.patch('/organization', { frozen: false }))
  }
}

describe('what moves money', () => {
  test.each(MOVES)('needs the password of a person: %s, %s', async (_id, _what, prepare) => {
    const change = await prepare({ app, acme })
    const owner = await aMember(app, acme)
    await minutesLater(async () => {
      const refused = await byPerson(owner, change)
      expect([refused.status, refused.body.code]).toEqual([403, 'reauthentication_required'])
      bodyOf(await owner.post('/console/api/reauthenticate', { password: PASSWORD }))
      bodyOf(await byPerson(owner, change))
    })
  })

  test.each(MOVES)('is never asked of a key: %s, %s', async (_id, _what, prepare) => {
    const change = await prepare({ app, acme })
    await minutesLater(async () => {
      bodyOf(await byKey(change))
    })
  })

  test('is done with the same Idempotency-Key once the password is given', async () => {
    const owner = await aMember(app, acme)
    const url = `/api/v1/mandates/${(await anActiveMandate(acme)).id}`
    const rules = [{ type: 'amount', max: 5 }]
    const key = { 'idempotency-key': 'wider rules' }
    await minutesLater(async () => {
      expect((await owner.patch(url, { rules }, key)).status).toBe(403)
      bodyOf(await owner.post('/console/api/reauthenticate', { password: PASSWORD }))
      bodyOf(await owner.patch(url, { rules }, key))
    })
  })

  test('is refused for each of several approvals for itself', async () => {
    const [small, large] = [await asked({ app, acme }, 6), await asked({ app, acme }, 20)]
    const owner = await aMember(app, acme)
    await minutesLater(async () => {
      const body = { decision: 'approve', alsoIds: [large] }
      const answer = bodyOf(await owner.post(`/api/v1/approvals/${small}/decision`, body))
      const code = 'reauthentication_required'
      expect(answer.also).toMatchObject([{ id: large, decided: false, code }])
    })
  })
})

test.each(STOPS)('what stops or moves nothing needs no password: %s', async (_what, prepare) => {
  const change = await prepare({ app, acme })
  const owner = await aMember(app, acme)
  await minutesLater(async () => {
    bodyOf(await byPerson(owner, change))
  })
})

test('withdrawing an invitation needs no password', async () => {
  const owner = await aMember(app, acme)
  const body = { email: 'withdrawn@example.com', role: 'viewer' }
  const { id } = bodyOf(await owner.post('/console/api/invitations', body))
  await minutesLater(async () => {
    bodyOf(await owner.delete(`/console/api/invitations/${id}`))
  })
})

test('approvals have no limit by default', async () => {
  const { body } = await (await app.organization('Fresh')).get('/organization')
  expect(body.approvalPasswordAbove).toBeNull()
})

describe('what needs the password', () => {
  const SENTENCE =
    /A member must have entered the password within the last five minutes(?: if the body has (.*?))?\.(?: |$)/
  const shown = (method: string, url: string, changes = 'always') =>
    `| \`${method} ${url}\` | ${changes} |`

  test('is listed in the guide, all of it and nothing else', async () => {
    const operations = listOperations(await readDocument(app.app))
    const ofApi = operations.flatMap(({ method, path, description = '' }) => {
      const found = SENTENCE.exec(description)
      const url = path.replace('/api/v1', '').replaceAll(/\{(\w+)\}/g, ':$1')
      return found ? [shown(method, url, found[1])] : []
    })
    const ofConsole = (await listConsoleRoutes())
      .filter(({ sensitive }) => sensitive)
      .map(({ method, url }) => shown(method, url))
    const guide = await readFile(
      new URL('../../../../docs/guide-people.md', import.meta.url),
      'utf8',
    )
    const listed = guide.split('\n').filter((line) => /^\| `(POST|PATCH|DELETE) /.test(line))
    expect(listed.toSorted()).toEqual([...ofApi, ...ofConsole].toSorted())
  })

  test('is tried here or where keys, secrets and people are, for every endpoint', async () => {
    const operations = listOperations(await readDocument(app.app))
    const sensitive = operations.filter(({ description = '' }) => SENTENCE.test(description))
    const elsewhere = [
      'createApiKey',
      'rotateWebhookSecret',
      'createWallet',
      'createCardConnection',
    ]
    const tried = new Set([...MOVES.map(([operationId]) => operationId), ...elsewhere])
    expect(sensitive.map(({ operationId }) => operationId).toSorted()).toEqual(
      [...tried].toSorted(),
    )
  })
})
