import { expect } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import type { Role } from '../../src/core/people/role.ts'
import { inviteMember } from '../../src/operator/manage-members.ts'
import type { AnswerBody } from './answer-body.ts'
import { answerCheck } from './answer-check.ts'
import type { Answer, TestApp } from './app.ts'
import type { Method } from './operations.ts'

export const PASSWORD = 'a long enough password'
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

type Headers = Readonly<Record<string, string>>

/** A browser: it keeps its cookie, and states the origin of its requests. */
export interface Browser {
  /** Takes the whole address, such as /console/api/me or /api/v1/agents. */
  send(method: Method, url: string, body?: unknown, headers?: Headers): Promise<Answer>
  get(url: string, headers?: Headers): Promise<Answer>
  post(url: string, body?: unknown, headers?: Headers): Promise<Answer>
  patch(url: string, body?: unknown, headers?: Headers): Promise<Answer>
  delete(url: string, headers?: Headers): Promise<Answer>
  /** `name=value`, as it would be sent; empty if there is none. Can be set, to send a different one. */
  cookie: string
}

export function aBrowser(
  { app }: Pick<TestApp, 'app'>,
  {
    cookie = '',
    address = '127.0.0.1',
  }: { readonly cookie?: string; readonly address?: string } = {},
): Browser {
  async function send(method: Method, url: string, body?: unknown, headers: Headers = {}) {
    const response = await app.inject({
      method,
      url,
      remoteAddress: address,
      headers: {
        ...SAME_ORIGIN,
        ...(browser.cookie !== '' && { cookie: browser.cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    browser.cookie = cookieAfter(browser.cookie, response.headers['set-cookie'])
    const { statusCode: status, body: text } = response
    const isJson = /[/+]json;/.test(String(response.headers['content-type']))
    const parsed = isJson ? response.json<AnswerBody>() : ({} as AnswerBody)
    const answer = { status, text, body: parsed, headers: response.headers }
    const ofApi = url.split('/api/v1')[1]
    if (ofApi !== undefined) (await answerCheck(app))(method, ofApi, answer)
    return answer
  }
  const browser: Browser = {
    send,
    get: (url, headers) => send('GET', url, undefined, headers),
    post: (url, body, headers) => send('POST', url, body, headers),
    patch: (url, body, headers) => send('PATCH', url, body, headers),
    delete: (url, headers) => send('DELETE', url, undefined, headers),
    cookie,
  }
  return browser
}

function cookieAfter(before: string, set: string | string[] | undefined): string {
  const [given] = [set ?? []].flat()
  if (given === undefined) return before
  return /=;/.test(given) ? '' : (given.split(';', 1)[0] ?? '')
}

export interface Person extends Browser {
  /** The public id. */
  readonly id: string
  readonly email: string
}

let count = 0

/** A member whom the operator has invited, and who has signed in. */
export async function aMember(
  app: TestApp,
  { organizationId }: { readonly organizationId: string },
  { role = 'owner', email }: { readonly role?: Role; readonly email?: string } = {},
): Promise<Person> {
  count += 1
  const address = email ?? `person-${count}@example.com`
  const wanted = { organizationId: toPublicId('org', organizationId), email: address, role }
  const { token } = await inviteMember({ db: app.database.db }, { ...wanted, name: null })
  const browser = aBrowser(app)
  const answer = await browser.post('/console/api/accept', { token, password: PASSWORD })
  expect(answer.status, answer.text).toBe(200)
  return Object.assign(browser, { id: answer.body.member.id, email: address })
}

/** The same person in a second browser. */
export async function signedInAgain(
  app: TestApp,
  { email }: Pick<Person, 'email'>,
): Promise<Browser> {
  const browser = aBrowser(app)
  const answer = await browser.post('/console/api/sign-in', { email, password: PASSWORD })
  expect(answer.status, answer.text).toBe(200)
  return browser
}
