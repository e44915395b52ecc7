import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { startUntrustedReceiver } from '../support/bad-tls.ts'
import { type MischiefName, mischiefOf } from '../support/mischief.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { afterAttempts, aSubscriber, aTestEvent, subscribe } from '../support/webhooks.ts'

const LOG_BYTES = 16 * 1_024

let app: TestApp
let receiver: Receiver
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  acme = await aSubscriber(app, receiver)
})
afterEach(() => receiver.close())

const behave = (name: MischiefName) => receiver.behave((response) => mischiefOf(name).act(response))

/** The log of the first attempt to deliver an event. */
async function firstAttempt(owner: Owner = acme) {
  const { id } = await aTestEvent(owner)
  const delivery = await afterAttempts(owner, id, 1)
  const [attempt] = delivery.attemptLog
  assert(attempt)
  return { delivery, attempt }
}

describe('an attempt is acknowledged by', () => {
  test.each([
    ['ok', 200, null, 'status 200'],
    ['no content', 204, null, ''],
    ['a body that is too short', 200, 'reset', 'short'],
    ['a body that is too long', 200, null, 'longe'],
    ['a body of 10 MB', 200, 'size', 'x'.repeat(LOG_BYTES)],
  ] as const)('%s', async (name, status, cut, body) => {
    behave(name)
    const { delivery, attempt } = await firstAttempt()
    expect(delivery).toMatchObject({ status: 'succeeded', lastStatusCode: status, lastError: null })
    expect(attempt).toMatchObject({ outcome: 'succeeded', error: null, nextAttemptAt: null })
    expect(attempt.response).toMatchObject({ status, cut, body })
  })

  test('a gzip bomb, which nobody unpacks', async () => {
    behave('a gzip bomb')
    const { attempt } = await firstAttempt()
    expect(attempt).toMatchObject({ outcome: 'succeeded', response: { status: 200, cut: 'size' } })
    const [row] = await app.rows<{ bytes: number }>(
      `select length(response_body) as bytes from webhook_attempts where organization_id = $1`,
      [acme.organizationId],
    )
    expect(row?.bytes).toBe(LOG_BYTES)
    expect(attempt.response?.headers).toMatchObject({ 'content-encoding': 'gzip' })
  })
})

describe('an attempt fails by', () => {
  test.each([
    ['redirect', 302],
    ['bad request', 400],
    ['gone', 410],
    ['busy', 429],
    ['broken', 500],
    ['unavailable', 503],
  ] as const)('%s', async (name, status) => {
    behave(name)
    const { delivery, attempt } = await firstAttempt()
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastStatusCode: status })
    expect(delivery.lastError).toContain(String(status))
    expect(attempt).toMatchObject({
      outcome: 'failed',
      error: { class: name === 'redirect' ? 'redirect' : 'status' },
      response: { status, body: `status ${status}`, cut: null },
    })
    expect(attempt.nextAttemptAt).toBe(delivery.nextAttemptAt)
  })

  test.each([
    ['no status at all', 'bad_answer'],
    ['no HTTP at all', 'bad_answer'],
    ['a close without an answer', 'connection_lost'],
    ['reset', 'connection_lost'],
  ] as const)('%s', async (name, errorClass) => {
    behave(name)
    const { delivery, attempt } = await firstAttempt()
    expect(delivery).toMatchObject({ status: 'pending', lastStatusCode: null })
    expect(attempt).toMatchObject({
      outcome: 'failed',
      error: { class: errorClass },
      response: null,
      remoteAddress: '127.0.0.1',
    })
  })

  test('a redirect, which is not followed', async () => {
    behave('redirect')
    await firstAttempt()
    expect(receiver.received).toHaveLength(1)
  })

  test('a certificate that nobody vouches for', async () => {
    const untrusted = await startUntrustedReceiver()
    await subscribe(acme, untrusted.url)
    const { attempt } = await firstAttempt()
    expect(attempt).toMatchObject({ outcome: 'failed', error: { class: 'tls_failed' } })
    expect(untrusted.requests).toBe(0)
    await untrusted.close()
  })

  test('a port where nobody listens', async () => {
    await receiver.close()
    const { attempt } = await firstAttempt()
    expect(attempt).toMatchObject({ outcome: 'failed', error: { class: 'connect_failed' } })
  })

  test('silence and by a head that comes drop by drop, after five seconds; by a late body not', async () => {
    const names = ['hang', 'a head drop by drop', 'a body drop by drop'] as const
    const receivers = await Promise.all(
      names.map((name) => startReceiver((response) => mischiefOf(name).act(response))),
    )
    const attempts = await Promise.all(
      receivers.map(async (slow) => firstAttempt(await aSubscriber(app, slow))),
    )
    const timeout = { outcome: 'failed', error: { class: 'timeout' }, response: null }
    const late = { outcome: 'succeeded', error: null, response: { status: 200, cut: 'timeout' } }
    expect(attempts.map(({ attempt }) => attempt)).toMatchObject([timeout, timeout, late])
    for (const { attempt } of attempts) expect(attempt.durationMs).toBeGreaterThanOrEqual(4_990)
    await Promise.all(receivers.map((slow) => slow.close()))
  })
})

describe('the log of an answer', () => {
  test('keeps hostile headers and bodies as they came, and no cookies', async () => {
    const nasty = `a"b\\c,{d}'e;NULL \u00e9`
    receiver.behave((response) => {
      response.setHeader('x-nasty', nasty)
      response.setHeader('set-cookie', ['session=secret', 'other=secret'])
      response.setHeader('x-empty', '')
      // As bytes: with a text, the server would also write the headers in the text's encoding.
      response.end(Buffer.from(`NULL,{"a":"\\u0000"}\u0000\u001e\u001f${nasty}`))
    })
    const { delivery, attempt } = await firstAttempt()
    expect(delivery.status).toBe('succeeded')
    expect(attempt.response?.headers).toMatchObject({ 'x-nasty': nasty, 'x-empty': '' })
    expect(attempt.response?.headers).not.toHaveProperty('set-cookie')
    expect(attempt.response?.body).toBe(`NULL,{"a":"\\u0000"}\u0000\u001e\u001f${nasty}`)
  })

  test('keeps bytes that are no text', async () => {
    receiver.behave((response) => response.end(Buffer.from([0xff, 0x00, 0xfe, 0x80])))
    const { attempt } = await firstAttempt()
    expect(attempt.response?.body).toBe('\ufffd\u0000\ufffd\ufffd')
  })

  test('keeps the beginning of a body that is longer than 16 KiB by one byte', async () => {
    receiver.behave((response) => response.end('y'.repeat(LOG_BYTES + 1)))
    const { attempt } = await firstAttempt()
    expect(attempt.response).toMatchObject({ cut: 'size', body: 'y'.repeat(LOG_BYTES) })
    receiver.behave((response) => response.end('y'.repeat(LOG_BYTES)))
    expect((await firstAttempt()).attempt.response?.cut).toBe(null)
  })

  test('keeps fifty headers of a receiver that sends more', async () => {
    receiver.behave((response) => {
      for (let n = 0; n < 100; n++) response.setHeader(`x-${n}`, 'many')
      response.end()
    })
    const { attempt } = await firstAttempt()
    expect(Object.keys(attempt.response?.headers ?? {})).toHaveLength(50)
  })
})
