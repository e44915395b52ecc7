import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSilent } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { fromMinor } from '../../server/src/core/minor-unit.ts'
import { type Native, openDoors } from '../../server/test/support/card/doors.ts'
import { sample } from '../../server/test/support/card/samples.ts'
import { toMinorUnits } from '../src/trigger/minor-units.ts'
import { callPurser } from './support/in-process.ts'
import { killPursers, startPurser } from './support/purser.ts'

const stops: (() => void)[] = []
afterEach(() => {
  killPursers()
  for (const stop of stops.splice(0)) stop()
})

/** The deadline of issuers would be too short for a busy machine. */
const WAITING = ['trigger', 'card', '--wait', '120']
const trigger = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  callPurser([...WAITING, ...args], env)

describe.each<Native>(['stripe', 'lithic'])('purser trigger card, as %s', (provider) => {
  async function open(...[decide]: [Parameters<typeof openDoors>[1]]) {
    const opened = await openDoors(provider, decide)
    stops.push(opened.close)
    return opened
  }

  test('requests one authorization, and prints the answer', async () => {
    const { doors, requests } = await open(() => ({}))
    const { authorizationUrl: url, authorizationSecret: secret } = doors
    const purchase = ['--amount', '12.5', '--merchant', 'BISTRO', '--mcc', '5812', '--partial']
    const args = ['--url', url, '--card', 'card-1', ...purchase]
    const purser = await startPurser([...WAITING, ...args], { PURSER_CARD_SECRET: secret })
    expect(await purser.exited()).toBe(0)
    expect(requests).toMatchObject([
      {
        card: { externalId: 'card-1' },
        amount: 12_500_000n,
        currency: 'USD',
        partialSupported: true,
        merchant: { name: 'BISTRO', mcc: '5812', country: 'US' },
      },
    ])
    expect(purser.lines).toHaveLength(1)
    expect(JSON.parse(purser.lines[0] ?? '')).toMatchObject(
      provider === 'stripe' ? { approved: true } : { result: 'APPROVED' },
    )
    expect(purser.told.at(-1)).toMatch(/^Approved, within \d+ ms\.$/)
  })

  test('says why it was declined', async () => {
    const { doors } = await open(() => ({ isApproved: false, code: 'budget_exceeded' }))
    const { authorizationUrl: url, authorizationSecret: secret } = doors
    const purser = await trigger(['--url', url, '--card', 'card-1'], { PURSER_CARD_SECRET: secret })
    expect(await purser.exited()).toBe(0)
    expect(purser.told.at(-1)).toContain(
      provider === 'stripe' ? 'Declined (budget_exceeded)' : 'Declined (INSUFFICIENT_FUNDS)',
    )
  })

  test('shows only the last four digits if the card is given by its number', async () => {
    const { doors } = await open(() => ({}))
    const { authorizationUrl: url, authorizationSecret: secret } = doors
    const purser = await trigger(['--url', url, '--card', '4242424242424242'], {
      PURSER_CARD_SECRET: secret,
    })
    expect(await purser.exited()).toBe(0)
    expect(purser.told.join()).toContain('with the card …4242,')
    expect(purser.told.join()).not.toContain('42424242')
  })

  test('exits with 1 if the secret is wrong', async () => {
    const { doors } = await open(() => ({}))
    const { authorizationUrl: url, eventsSecret: secret } = doors
    const purser = await trigger(['--url', url, '--card', 'card-1'], { PURSER_CARD_SECRET: secret })
    expect(await purser.exited()).toBe(1)
    expect(purser.told.join()).toContain('Check that the secret is the one for authorizations')
    expect(purser.told.join()).not.toContain(secret)
  })
})

test('purser trigger card sends generic JSON to a generic connection', async () => {
  const asked: { url?: string | undefined; key?: string | undefined; body: unknown }[] = []
  const server = createServer(async (incoming, response) => {
    const { url, headers } = incoming
    asked.push({ url, key: headers.authorization, body: JSON.parse(await text(incoming)) })
    // The gateway answers without details if it made no decision.
    const answer = { decision: 'rejected', evaluationDetails: null, code: 'card_unknown' }
    response.end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  const purser = await trigger(['--url', url, '--card', 'tok_1', '--connection', 'conn_1'], {
    PURSER_API_KEY: 'psr_test_x',
  })
  expect(await purser.exited()).toBe(0)
  expect(purser.told.at(-1)).toContain('Declined (card_unknown)')
  expect(asked).toMatchObject([
    {
      url: '/api/v1/gateway/card/authorize',
      key: 'Bearer psr_test_x',
      body: { connectionId: 'conn_1', type: 'initial', card: { externalId: 'tok_1' }, amount: 49 },
    },
  ])
})

test('purser trigger card --json prints the answer or the problem, and nothing else', async () => {
  const answers = [
    [200, { decision: 'approved' }],
    [403, { status: 403, code: 'insufficient_scope', detail: 'The key needs\nmore.' }],
    [502, 'Bad Gateway'],
  ] as const
  const rest = answers.values()
  const server = createServer((_incoming, response) => {
    const [status, body] = rest.next().value ?? [500, '']
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const args = ['--url', url, '--card', 'tok_1', '--connection', 'conn_1', '--json']
  const run = () => trigger(args, { PURSER_API_KEY: 'psr_test_x' })
  const approved = await run()
  expect([await approved.exited(), approved.told]).toEqual([0, []])
  expect(JSON.parse(approved.lines.join())).toEqual(answers[0][1])
  const refused = await run()
  expect([await refused.exited(), refused.lines]).toEqual([1, []])
  expect(refused.told.map((line) => JSON.parse(line))).toEqual([answers[1][1]])
  const other = await run()
  expect([await other.exited(), other.told]).toEqual([1, ['purser: answered 502.']])
})

describe('purser trigger card ends', () => {
  const card = ['--card', 'card-1']
  const stripe = ['--url', 'http://127.0.0.1:1/ingest/stripe/token/authorization']

  test.each([
    ['no card', [], '--card <id>'],
    ['no secret', [...card, ...stripe], 'PURSER_CARD_SECRET'],
    [
      'the address for events',
      [...card, '--url', 'http://127.0.0.1:1/ingest/lithic/token/events'],
      'the one for authorizations',
    ],
    ['neither an address nor a connection', card, '--connection'],
    ['no key', [...card, '--connection', 'conn_1'], 'PURSER_API_KEY'],
    ['a currency that is none', [...card, '--currency', 'dollars'], '--currency'],
    ['a code of three digits', [...card, '--mcc', '573'], '--mcc'],
    ['a secret as an argument', ['--secret', 'x'], 'set the secret in PURSER_CARD_SECRET'],
    ['a time that is none', [...card, '--wait', 'long'], '--wait'],
  ])('with 2 and says what is wrong with %s', async (_name, args, words) => {
    const purser = await trigger(args, { PURSER_API_KEY: '' })
    expect(await purser.exited()).toBe(2)
    expect(purser.told.join('\n')).toContain(words)
  })

  test('with 2 and says what is wrong with half a cent', async () => {
    const args = [...card, ...stripe, '--amount', '0.005']
    const purser = await trigger(args, { PURSER_CARD_SECRET: 'x' })
    expect(await purser.exited()).toBe(2)
    expect(purser.told.join('\n')).toContain('--amount')
  })

  test('with 1 if no answer arrives in time', async () => {
    const { doors, close } = await openDoors('stripe', () => undefined)
    stops.push(close)
    const { authorizationUrl: url, authorizationSecret: secret } = doors
    const purser = await trigger([...card, '--url', url, '--wait', '0.05'], {
      PURSER_CARD_SECRET: secret,
    })
    expect(await purser.exited()).toBe(1)
    expect(purser.told.join()).toContain('The issuer would decide on its own.')
  })

  test('with 1 if nothing listens on the port', async () => {
    const purser = await trigger([...card, ...stripe], { PURSER_CARD_SECRET: 'x' })
    expect(await purser.exited()).toBe(1)
    expect(purser.told.join()).toContain('Is the gateway running?')
  })

  test('with 1 if every connection is closed at once', async () => {
    const silent = createSilent((socket) => socket.destroy()).listen(0, '127.0.0.1')
    stops.push(() => silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/ingest/stripe/token/authorization`
    const purser = await trigger([...card, '--url', url], { PURSER_CARD_SECRET: 'x' })
    expect(await purser.exited()).toBe(1)
    expect(purser.told.join()).toContain('connection closed')
  })
})

test('amounts are sent in the units that the gateway expects', () => {
  const { 0: none, 3: three, 4: four } = sample('currency-exponents')
  const codes: string[] = ['USD', 'HUF', ...none, ...three, ...four]
  expect(codes.filter((code) => fromMinor(toMinorUnits('7', code), code) !== 7_000_000n)).toEqual(
    [],
  )
  expect(
    ['49.90', '49.900', '49.901', '', '-1', '1e3'].map((text) => toMinorUnits(text, 'USD')),
  ).toEqual([4_990, 4_990, undefined, undefined, undefined, undefined])
})
