import { expect } from 'vitest'
import type { Answer, TestApp } from './app.ts'
import { type Authenticator, anAuthenticator } from './authenticator.ts'
import { aBrowser, type Browser } from './people.ts'

export const PASSKEYS = '/console/api/passkeys'
export const PASSKEY_SIGN_IN = '/console/api/session/passkey'
/** Passkeys work only at a host name. */
export const AT_HOST = { host: 'localhost' }

/** A response as plain data, because the types of the tests know no options of WebAuthn. */
export function dataOf<Data>({ text }: Pick<Answer, 'text'>): Data {
  return JSON.parse(text)
}

interface Options {
  readonly challenge: string
  readonly user: { readonly id: string; readonly name: string }
}

export async function registerOptions(browser: Browser): Promise<Options> {
  const answer = await browser.post(`${PASSKEYS}/register-options`, undefined, AT_HOST)
  expect(answer.status, answer.text).toBe(200)
  return dataOf(answer)
}

export function sendPasskey(
  browser: Browser,
  credential: unknown,
  name = 'Laptop',
): Promise<Answer> {
  return browser.post(`${PASSKEYS}/register`, { name, credential }, AT_HOST)
}

/** The member gets a passkey, in this authenticator. */
export async function addPasskey(
  browser: Browser,
  name = 'Laptop',
  authenticator = anAuthenticator(),
): Promise<{ readonly id: string; readonly authenticator: Authenticator }> {
  const credential = authenticator.create(await registerOptions(browser))
  const answer = await sendPasskey(browser, credential, name)
  expect(answer.status, answer.text).toBe(200)
  return { id: answer.body.id, authenticator }
}

export async function signInOptions(browser: Browser): Promise<{ readonly challenge: string }> {
  const answer = await browser.post(`${PASSKEY_SIGN_IN}-options`, undefined, AT_HOST)
  expect(answer.status, answer.text).toBe(200)
  return dataOf(answer)
}

/** Signs in with a passkey in a fresh browser. */
export async function signInWith(
  app: TestApp,
  authenticator: Authenticator,
  { address = '127.0.0.1' } = {},
): Promise<{ readonly browser: Browser; readonly answer: Answer }> {
  const browser = aBrowser(app, { address })
  const credential = authenticator.get(await signInOptions(browser))
  return { browser, answer: await browser.post(PASSKEY_SIGN_IN, { credential }, AT_HOST) }
}
