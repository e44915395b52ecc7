import { afterEach, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/base/version.ts'
import { findPasskeyPlace } from '../../src/people/passkey-host.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { aBrowser, aMember } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'

const STATE = '/console/api/state'

describe('the state of the console', () => {
  let app: TestApp
  afterEach(() => app?.stop())

  const stateOf = async () => (await aBrowser(app).get(STATE, { host: 'localhost' })).body

  test('says whether a first owner is missing, to everyone', async () => {
    app = await createTestApp()
    expect(await stateOf()).toEqual({
      ...{ needsSetup: true, organization: null, environment: 'development', version: VERSION },
      ...{ signIn: ['password', 'passkey'], passkeyHost: 'localhost' },
    })
    const acme = await app.organization('Acme')
    await waitUntil(async () => JSON.parse(JSON.stringify(await stateOf())).organization === 'Acme')
    expect(await stateOf()).toMatchObject({ needsSetup: true })
    await aMember(app, acme)
    await waitUntil(async () => !JSON.parse(JSON.stringify(await stateOf())).needsSetup)
    await app.organization('Globex')
    await waitUntil(async () => JSON.parse(JSON.stringify(await stateOf())).organization === null)
  })

  test('has no passkeys at an IP address', async () => {
    app = await createTestApp()
    const answer = await aBrowser(app).get(STATE, { host: '127.0.0.1:3000' })
    expect(answer.body).toMatchObject({ passkeyHost: null, signIn: ['password'] })
  })
})

describe('the host of passkeys', () => {
  test.each([
    ['https://gateway.example', '10.0.0.7:3000', 'gateway.example'],
    ['https://gateway.example:8443', undefined, 'gateway.example'],
    ['https://192.0.2.1', 'gateway.example', undefined],
    ['https://[2001:db8::1]', 'gateway.example', undefined],
    [undefined, 'localhost:3000', 'localhost'],
    [undefined, undefined, 'localhost'],
    [undefined, '127.0.0.1:3000', undefined],
    [undefined, '[::1]:3000', undefined],
    [undefined, 'not a host', undefined],
  ])('of the public URL %s, opened at %s, is %s', (publicUrl, host, wanted) => {
    const addresses = { cookies: { publicUrl }, publicUrl: () => publicUrl ?? 'http://localhost:1' }
    expect(findPasskeyPlace(addresses, host)?.host).toBe(wanted)
  })

  test('is unknown in production without a public URL', () => {
    const addresses = { cookies: { publicUrl: undefined }, publicUrl: () => undefined }
    expect(findPasskeyPlace(addresses, 'gateway.example')).toBeUndefined()
  })
})
