import { expect } from 'vitest'
import type { Role } from '../../src/core/people/role.ts'
import type { Answer, Client, Owner, TestApp } from './app.ts'
import { approvalIdIn, askFor } from './approvals.ts'
import { anActiveMandate, bodyOf } from './builders.ts'
import { aBrowser, PASSWORD, type Person } from './people.ts'
import { aSpend } from './spends.ts'

/** The terms of a mandate that asks for approvals. */
export const ASKS = { rules: [{ type: 'approval', above: 5 }] }
const ANSWERING = ['owner', 'admin', 'approver']

export const setFourEyes = (person: Person, requireFourEyes: boolean) =>
  person.patch('/api/v1/organization', { requireFourEyes })

export const decide = (person: Pick<Person, 'post'>, id: string, fields = {}) =>
  person.post(`/api/v1/approvals/${id}/decision`, { decision: 'approve', ...fields })

export function expectRefused({ status, body }: Answer, why: string): void {
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'four_eyes_required' })
  expect(body).toMatchObject({ why, answeringRoles: ANSWERING })
  expect(body.detail).toContain('owner, admin, or approver')
}

let count = 0
/** Returns the token of an invitation. */
export async function invited(by: Person, role: Role): Promise<string> {
  count += 1
  const body = { email: `second-${count}@example.com`, role }
  return bodyOf(await by.post('/console/api/invitations', body)).token
}

export async function resetLink(by: Person, { id }: Pick<Person, 'id'>): Promise<string> {
  return bodyOf(await by.post(`/console/api/members/${id}/reset-link`)).token
}

/** Helpers to request approvals and to accept links in an organization. */
export function fourEyesIn(app: TestApp, acme: () => Owner) {
  /** Creates a key as this person, and a client that uses it. */
  async function keyOf(person: Pick<Person, 'post'>, fields = {}): Promise<Client> {
    const made = await person.post('/api/v1/api-keys', { name: 'Made by a person', ...fields })
    return app.client(bodyOf(made).apiKey)
  }
  return {
    keyOf,
    /** Requests an approval for a new agent with a key of the person. */
    async askedByKeyOf(person: Pick<Person, 'post'>): Promise<string> {
      const { agentId } = await anActiveMandate(acme(), ASKS)
      return askFor(await keyOf(person, { agentIds: [agentId] }), agentId)
    },
    async askedBySessionOf(person: Pick<Person, 'post'>): Promise<string> {
      const { agentId } = await anActiveMandate(acme(), ASKS)
      const answer = await person.post('/api/v1/gateway/evaluate', aSpend(agentId))
      return approvalIdIn(JSON.parse(answer.text))
    },
    /** Accepts a link as a new person with their own browser. */
    async accepted(token: string) {
      const browser = aBrowser(app)
      bodyOf(await browser.post('/console/api/accept', { token, password: PASSWORD }))
      return browser
    },
  }
}
