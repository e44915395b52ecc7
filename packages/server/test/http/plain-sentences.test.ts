import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anAgent } from '../support/builders.ts'
import { aBrowser, aMember } from '../support/people.ts'

/* Whoever is refused reads one sentence, and has to know from it what to do. */

const APPROVAL = 'apr_019a85617c5e7d409b5e6f1f0a3c2b11'
const DECISION = `/approvals/${APPROVAL}/decision`

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

describe('a wrong body is told', () => {
  test('that it is none', async () => {
    const { body } = await acme.post(DECISION)
    expect(body.detail).toBe('The body must be an object.')
  })

  test('that it has no field', async () => {
    const { id } = await anAgent(acme)
    const { body } = await acme.patch(`/agents/${id}`, {})
    expect(body.detail).toBe('The body must have at least one field.')
  })

  test('that a list holds the same twice', async () => {
    const { body } = await acme.post(DECISION, {
      decision: 'reject',
      alsoIds: [APPROVAL, APPROVAL],
    })
    expect(body.detail).toBe(
      'In the body, /alsoIds must not contain duplicates, such as items 0 and 1.',
    )
  })

  test('the only value that a field takes', async () => {
    const { id: agentId } = await anAgent(acme)
    const rules = [{ type: 'approval', effect: 'reject' }]
    const { body } = await acme.post('/mandates', { agentId, budgetTotal: 100, rules })
    expect(body.detail).toBe('In the body, /rules/0/effect must be require_approval.')
  })

  test('what the token of a link looks like', async () => {
    const given = { token: 'a token', password: 'a long enough password' }
    const { body } = await aBrowser(app).post('/console/api/accept', given)
    expect(body.detail).toBe(
      'In the body, /token must have 43 characters: letters, digits, - and _ only.',
    )
  })
})

describe('a person is told', () => {
  test('that a session counts as well as a key, where there is neither', async () => {
    const { status, body } = await aBrowser(app).get('/api/v1/approvals')
    expect(status).toBe(401)
    expect(body.detail).toContain('"Authorization: Bearer psr_…"')
    expect(body.detail).toContain('sign in')
  })

  test('who manages people, where the role does not', async () => {
    const viewer = await aMember(app, acme, { role: 'viewer' })
    const { body } = await viewer.get('/console/api/members')
    expect(body.detail).toBe('The role viewer cannot manage people. Owners and admins can.')
  })

  test.each([
    ['/console/api/reauthenticate', 'POST', { password: 'another' }],
    [
      '/console/api/me',
      'PATCH',
      { currentPassword: 'another', newPassword: 'quite another password' },
    ],
  ] as const)(
    'of the password alone, where nothing else was given: %s',
    async (url, method, given) => {
      const { status, body } = await (await aMember(app, acme)).send(method, url, given)
      expect([status, body.code]).toEqual([401, 'wrong_credentials'])
      expect(body.detail).toMatch(/^The password is wrong, or /)
    },
  )

  test('that only browsers find pages of the console, at the address of one', async () => {
    const { status, body } = await aBrowser(app).get(`/console/approvals/${APPROVAL}`)
    expect([status, body.code]).toEqual([404, 'route_not_found'])
    expect(body.detail).toContain('Only browsers find pages of the console there')
  })
})
