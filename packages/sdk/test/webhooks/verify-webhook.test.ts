import { createHmac } from 'node:crypto'
import { PurserError } from '@purser/sdk'
import { verifyWebhook, type WebhookVerificationError } from '@purser/sdk/webhooks'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BODY, newSecret, signedHeaders } from './signed-request.ts'

const SECRET = newSecret()
const NOW = Date.now()

/** The code of the error with which a promise rejects. */
async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: WebhookVerificationError) => thrown,
  )
  if (error) expect(error.name).toBe('WebhookVerificationError')
  return error?.code ?? 'accepted'
}

describe('verifyWebhook', () => {
  test('accepts the test vector of the guide', async () => {
    const headers = {
      'webhook-id': 'evt_019a85617c5e7d409b5e6f1f0a3c2b11',
      'webhook-timestamp': '1794735000',
      'webhook-signature': 'v1,L2YYa7X6pKEyrx22DnG7uD/W4OvrNiF0jPcM3uaGUYM=',
      'X-Service-Signature': '1520e93eb57f6d923703f4de463750cad4cafb586653bd4057c362ea9953c821',
    }
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    const event = await verifyWebhook(BODY, headers, secret, { now: 1_794_735_000_000 })
    expect(event).toEqual({ ...JSON.parse(BODY), id: 'evt_019a85617c5e7d409b5e6f1f0a3c2b11' })
    const byBody = await verifyWebhook(BODY, headers, secret, { bodyOnly: true })
    expect(byBody.id).toMatch(/^sha256_[0-9a-f]{64}$/)
  })

  test('gives an event whose data has the type of its name', async () => {
    const event = await verifyWebhook(BODY, signedHeaders(SECRET), SECRET)
    if (event.event !== 'mandate.budget.warning') throw new Error('This is a different event.')
    const used: number = event.data.percentUsed
    expect(used).toBe(80)
    // @ts-expect-error A budget event has no vendor.
    expect(event.data.vendor).toBeUndefined()
  })

  test.each<[string, (headers: Record<string, string>) => object]>([
    ['Headers', (headers) => new Headers(headers)],
    [
      'names in capitals',
      (headers) =>
        Object.fromEntries(
          Object.entries(headers).map(([key, value]) => [key.toUpperCase(), value]),
        ),
    ],
    [
      'arrays',
      (headers) =>
        Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [value]])),
    ],
    ['a header that is called get', (headers) => ({ get: 'x', ...headers })],
  ])('takes headers as %s', async (_name, change) => {
    const headers = change(signedHeaders(SECRET)) as Record<string, string>
    expect((await verifyWebhook(BODY, headers, SECRET)).id).toBe('evt_1')
  })

  test('takes the body as text, bytes, part of a buffer and ArrayBuffer', async () => {
    const bytes = new TextEncoder().encode(BODY)
    const wide = new Uint8Array([1, ...bytes, 2])
    const part = wide.subarray(1, -1)
    for (const body of [BODY, bytes, Buffer.from(BODY), part, bytes.buffer]) {
      expect((await verifyWebhook(body, signedHeaders(SECRET), SECRET)).id).toBe('evt_1')
    }
  })

  test('takes one right signature among others, with spaces or commas between', async () => {
    const headers = signedHeaders(SECRET)
    const right = headers['webhook-signature'] ?? ''
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`
    for (const list of [
      `${wrong} ${right}`,
      `${right} ${wrong}`,
      `v1a,abc ${right}`,
      `${wrong}, ${right}`,
      `v1,*** ${right}`,
    ]) {
      const listed = { ...headers, 'webhook-signature': list }
      expect((await verifyWebhook(BODY, listed, SECRET)).id).toBe('evt_1')
    }
    const several = { ...headers, 'webhook-signature': [wrong, right] }
    expect((await verifyWebhook(BODY, several, SECRET)).id).toBe('evt_1')
  })

  test('takes either secret of a rotation, and no third one', async () => {
    const old = newSecret()
    for (const signer of [SECRET, old]) {
      expect((await verifyWebhook(BODY, signedHeaders(signer), [SECRET, old])).id).toBe('evt_1')
    }
    const stranger = signedHeaders(newSecret())
    expect(await codeOf(verifyWebhook(BODY, stranger, [SECRET, old]))).toBe('signature_mismatch')
  })

  test('takes a secret with a line break at its end, as files have it', async () => {
    expect((await verifyWebhook(BODY, signedHeaders(SECRET), `${SECRET}\n`)).id).toBe('evt_1')
  })

  test('refuses a changed body, id, time and signature', async () => {
    const headers = signedHeaders(SECRET)
    const changes = [
      { 'webhook-id': 'evt_2' },
      { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
      { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` },
      { 'webhook-signature': (headers['webhook-signature'] ?? '').replace('v1,', 'v2,') },
      { 'webhook-signature': (headers['webhook-signature'] ?? '').slice(0, -8) },
    ]
    for (const change of changes) {
      const promise = verifyWebhook(BODY, { ...headers, ...change }, SECRET)
      expect(await codeOf(promise)).toBe('signature_mismatch')
    }
    const changed = BODY.replace('80', '81')
    expect(await codeOf(verifyWebhook(changed, headers, SECRET))).toBe('signature_mismatch')
  })

  test('refuses any body in which one byte was changed', async () => {
    const headers = signedHeaders(SECRET)
    const bytes = new TextEncoder().encode(BODY)
    const place = fc.integer({ min: 0, max: bytes.length - 1 })
    const mask = fc.integer({ min: 1, max: 255 })
    await fc.assert(
      fc.asyncProperty(place, mask, async (at, bits) => {
        const changed = bytes.map((byte, index) => (index === at ? byte ^ bits : byte))
        const promise = verifyWebhook(changed, headers, SECRET)
        expect(await codeOf(promise)).toBe('signature_mismatch')
      }),
    )
  })

  test('accepts five minutes in either direction, and not a second more', async () => {
    const at = new Date(Math.floor(NOW / 1_000) * 1_000)
    const headers = signedHeaders(SECRET, BODY, { at })
    const check = (seconds: number) =>
      codeOf(verifyWebhook(BODY, headers, SECRET, { now: at.getTime() + seconds * 1_000 }))
    expect(await check(300)).toBe('accepted')
    expect(await check(-300)).toBe('accepted')
    expect(await check(301)).toBe('timestamp_out_of_range')
    expect(await check(-301)).toBe('timestamp_out_of_range')
    expect(await check(Number.NaN)).toBe('timestamp_out_of_range')
  })

  test('refuses a time that is not a number, even with a right signature', async () => {
    const headers = { ...signedHeaders(SECRET), 'webhook-timestamp': 'Infinity' }
    const key = Buffer.from(SECRET.slice(6), 'base64')
    const mac = createHmac('sha256', key).update(`evt_1.Infinity.${BODY}`).digest('base64')
    const signed = { ...headers, 'webhook-signature': `v1,${mac}` }
    expect(await codeOf(verifyWebhook(BODY, signed, SECRET))).toBe('header_invalid')
  })

  test('refuses a parsed body, and says for each framework how to get the raw one', async () => {
    const headers = signedHeaders(SECRET)
    for (const body of [JSON.parse(BODY), {}, [], undefined, null, 7]) {
      const promise = verifyWebhook(body, headers, SECRET)
      await expect(promise).rejects.toMatchObject({ code: 'body_not_raw' })
      await expect(promise).rejects.toThrow(/await request\.text\(\)/)
      await expect(promise).rejects.toThrow(/Express: .*express\.raw/)
      await expect(promise).rejects.toThrow(/Fastify: .*fastifyWebhook/)
    }
  })

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'names the header %s if it is missing',
    async (name) => {
      const { [name]: _, ...headers } = signedHeaders(SECRET)
      for (const given of [headers, { ...headers, [name]: null as never }]) {
        const promise = verifyWebhook(BODY, given, SECRET)
        await expect(promise).rejects.toMatchObject({ code: 'header_missing' })
        await expect(promise).rejects.toThrow(name)
      }
    },
  )

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['without its prefix', SECRET.slice(6)],
    ['without a key', 'whsec_'],
    ['short', 'whsec_c2hvcnQ='],
    ['not base64', 'whsec_%%%%%%%%%%%%%%%%%%%%%%%%%%%%%'],
    ['an empty list', []],
    ['a list with an empty one', [SECRET, '']],
  ])('refuses a secret that is %s, and does not repeat it', async (_name, secret) => {
    const promise = verifyWebhook(BODY, signedHeaders(SECRET), secret as string)
    await expect(promise).rejects.toMatchObject({ code: 'secret_invalid' })
    const message = await promise.catch((error: Error) => error.message)
    expect(message).not.toContain(SECRET.slice(6))
    if (typeof secret === 'string' && secret.length > 6) expect(message).not.toContain(secret)
  })

  test('refuses a signed body that is not an event', async () => {
    for (const body of ['', 'null', '7', '[]', '{}', '{"event":"x","timestamp":"y"}', '{"a":']) {
      const promise = verifyWebhook(body, signedHeaders(SECRET, body), SECRET)
      expect(await codeOf(promise)).toBe('body_invalid')
    }
  })

  test('ignores an id in the body: only the header is the id of the event', async () => {
    const body = JSON.stringify({ ...JSON.parse(BODY), id: 'evt_of_the_body' })
    expect((await verifyWebhook(body, signedHeaders(SECRET, body), SECRET)).id).toBe('evt_1')
  })

  test('rejects with an error that PurserError.is knows', async () => {
    const error = await verifyWebhook(BODY, {}, SECRET).catch((thrown) => thrown)
    expect(PurserError.is(error)).toBe(true)
  })
})

describe('bodyOnly', () => {
  const service = (secret: string, body = BODY) => ({
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
  })

  test('is needed for a request that has X-Service-Signature alone', async () => {
    const promise = verifyWebhook(BODY, service(SECRET), SECRET)
    await expect(promise).rejects.toMatchObject({ code: 'header_missing' })
    await expect(promise).rejects.toThrow('bodyOnly')
    const event = await verifyWebhook(BODY, service(SECRET), SECRET, { bodyOnly: true })
    expect(event.event).toBe('mandate.budget.warning')
  })

  test('gives the hash of the body as the id, whatever webhook-id says', async () => {
    const ids = await Promise.all(
      ['evt_1', 'evt_2'].map(async (id) => {
        const headers = { ...service(SECRET), 'webhook-id': id }
        return (await verifyWebhook(BODY, headers, SECRET, { bodyOnly: true })).id
      }),
    )
    expect(new Set(ids).size).toBe(1)
  })

  test('refuses a changed body, a foreign secret and a malformed signature', async () => {
    const options = { bodyOnly: true }
    const changed = verifyWebhook(BODY.replace('80', '81'), service(SECRET), SECRET, options)
    expect(await codeOf(changed)).toBe('signature_mismatch')
    const foreign = verifyWebhook(BODY, service(newSecret()), SECRET, options)
    expect(await codeOf(foreign)).toBe('signature_mismatch')
    const malformed = verifyWebhook(BODY, { 'x-service-signature': 'zz' }, SECRET, options)
    expect(await codeOf(malformed)).toBe('signature_mismatch')
    const other = verifyWebhook(BODY, signedHeaders(SECRET), SECRET, options)
    expect(await codeOf(other)).toBe('header_missing')
  })
})
