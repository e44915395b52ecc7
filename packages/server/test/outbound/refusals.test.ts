import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundPolicy,
} from '../../src/outbound/outbound-client.ts'
import { LOOPBACK_FORMS, NAMES, ODD_PORTS, ODD_URLS, SPECIAL_LITERALS } from './hostile-urls.ts'
import { startTrap, type Trap } from './trap.ts'

const STRICT: OutboundPolicy = { allowLoopback: false, allowedNetworks: [] }
const answers = new Map(NAMES)
const asked: string[] = []

let trap: Trap
const clients: OutboundClient[] = []

function clientWith(policy: OutboundPolicy): OutboundClient {
  const client = createOutboundClient(policy, {
    resolve: async (hostname) => {
      asked.push(hostname)
      return answers.get(hostname) ?? ['127.0.0.1']
    },
  })
  clients.push(client)
  return client
}

function requestTo(url: string) {
  return {
    method: 'POST',
    url: url.replaceAll('{port}', String(trap.port)),
    headers: {},
    body: '{}',
    timeoutMs: 120_000,
    answerBytesMax: 1_000,
  } as const
}

/** Calls the URL and checks whether it may be saved; returns the reason for both refusals. */
async function refusalAt(client: OutboundClient, url: string): Promise<string> {
  const before = { arrived: trap.arrived, attempted: trap.attempted }
  const request = requestTo(url)
  const result = await client.call(request)
  const refusal = await client.refusalOf(request.url)
  expect({ arrived: trap.arrived, attempted: trap.attempted }).toEqual(before)
  expect(result).toMatchObject({
    kind: 'failure',
    reason: refusal?.reason,
    message: `The URL ${refusal?.text}.`,
    remoteAddress: null,
  })
  expect(refusal?.text).toMatch(/^(must|leads to) [^\n]+[^.]$/)
  return refusal?.reason ?? ''
}

beforeAll(async () => {
  trap = await startTrap()
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  asked.length = 0
})
afterAll(() => trap.close())

test('the trap sees a call that is allowed', async () => {
  const client = clientWith({ allowLoopback: true, allowedNetworks: [] })
  const result = await client.call(requestTo('http://127.0.0.1:{port}/'))
  expect(result).toMatchObject({ kind: 'answer', status: 200 })
  expect(trap.arrived).toBe(1)
  expect(trap.attempted).toBe(1)
})

test('there are enough hostile forms', () => {
  const forms = [
    ...LOOPBACK_FORMS,
    ...SPECIAL_LITERALS,
    ...ODD_URLS,
    ...NAMES.map(([name]) => name),
  ]
  expect(new Set(forms).size).toBe(forms.length)
  expect(forms.length).toBeGreaterThan(200)
})

describe('without a connection and without a look-up is refused', () => {
  test.each([...LOOPBACK_FORMS, ...SPECIAL_LITERALS])('the address in %j', async (url) => {
    expect(await refusalAt(clientWith(STRICT), url)).toBe('address_refused')
    expect(asked).toEqual([])
  })

  test.each(ODD_URLS)('the URL %j', async (url) => {
    expect(await refusalAt(clientWith(STRICT), url)).toBe('url_refused')
    expect(asked).toEqual([])
  })

  test.each(ODD_PORTS)('port %i', async (port) => {
    const client = clientWith(STRICT)
    expect(await refusalAt(client, `https://loopback.example:${port}/`)).toBe('url_refused')
    expect(await refusalAt(client, `https://8.8.8.8:${port}/`)).toBe('url_refused')
    expect(asked).toEqual([])
  })
})

describe('without a connection is refused', () => {
  test.each(NAMES)('the name %s that leads to %j', async (name) => {
    expect(await refusalAt(clientWith(STRICT), `https://${name}:{port}/`)).toBe('address_refused')
    // One look-up for the call and one for the check.
    expect(asked).toEqual([name, name])
  })

  test.each(SPECIAL_LITERALS)('%j also where the loopback is allowed', async (url) => {
    const client = clientWith({ allowLoopback: true, allowedNetworks: [] })
    expect(await refusalAt(client, url)).toBe('address_refused')
  })

  test.each([
    ['http://public.example/', ['93.184.216.34']],
    ['http://public-ipv6.example/', ['2606:4700::1111']],
    ['http://public-and-permitted.example:{port}/', ['127.0.0.1', '93.184.216.34']],
    ['https://public.example:25/', ['93.184.216.34']],
    ['https://public-and-permitted.example:5432/', ['127.0.0.1', '93.184.216.34']],
    ['http://8.8.8.8/', []],
    ['https://8.8.8.8:22/', []],
  ])('%s if such calls are allowed only on the loopback', async (url, addresses) => {
    answers.set(new URL(url.replace('{port}', '80')).hostname, addresses)
    const client = clientWith({ allowLoopback: true, allowedNetworks: [] })
    expect(await refusalAt(client, url)).toBe('url_refused')
  })

  test('port 0, even if every port is allowed', async () => {
    const client = clientWith({ allowLoopback: true, allowedNetworks: [] })
    expect(await refusalAt(client, 'http://127.0.0.1:0/')).toBe('url_refused')
  })

  test('a private network next to the allowed one', async () => {
    const client = clientWith({ allowLoopback: false, allowedNetworks: ['10.1.0.0/16'] })
    expect(await refusalAt(client, 'http://10.2.0.1/')).toBe('address_refused')
    expect(await refusalAt(client, 'http://127.0.0.1:{port}/')).toBe('address_refused')
  })
})

describe('to be saved is accepted', () => {
  test.each([
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://[::ffff:8.8.8.8]/hook?a=1',
    'https://8.8.8.8:443/',
    'https://8.8.8.8:80/',
    'https://8.8.8.8:1024/',
    'https://8.8.8.8:8443/',
    'https://8.8.8.8:65535/',
    'HTTPS://8.8.8.8/',
    `https://8.8.8.8/${'a'.repeat(2_032)}`,
  ])('%s', async (url) => {
    expect(await clientWith(STRICT).refusalOf(url)).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('a name that leads to public addresses', async () => {
    answers.set('public.example', ['93.184.216.34', '2606:4700::1111'])
    expect(await clientWith(STRICT).refusalOf('https://public.example./x')).toBeUndefined()
    expect(asked).toEqual(['public.example'])
  })

  test.each([
    ['http://localhost:{port}/', true, []],
    ['http://app.localhost.:{port}/', true, []],
    ['http://127.9.9.9:22/', true, []],
    ['https://[::1]:5432/', true, []],
    ['http://10.1.2.3:81/', false, ['10.1.0.0/16']],
    ['http://[fd00::5]/', false, ['fd00::/8', '10.0.0.0/8']],
    ['http://[::ffff:10.1.2.3]/', false, ['10.1.0.0/16']],
  ])('%s if the operator allows it', async (url, allowLoopback, allowedNetworks) => {
    const client = clientWith({ allowLoopback, allowedNetworks })
    expect(await client.refusalOf(requestTo(url).url)).toBeUndefined()
  })

  test('a name that cannot be resolved right now, if its URL is valid', async () => {
    const client = createOutboundClient(STRICT, { resolve: () => Promise.reject(new Error('no')) })
    clients.push(client)
    expect(await client.refusalOf('https://later.example/')).toBeUndefined()
    expect(await client.refusalOf('http://later.example/')).toEqual({
      reason: 'url_refused',
      text: 'must be an https URL',
    })
  })
})

describe('the refusal of a URL names the mistake', () => {
  const SCHEME = 'must begin with https://'
  const HOST = 'must have a valid host'
  const PORT = 'must have a port from 1 to 65535'

  test.each([
    ['that has no scheme', 'public.example/hook', SCHEME],
    ['that has no scheme but a port', 'localhost:4000/hook', SCHEME],
    ['with another scheme', 'ftp://public.example/', SCHEME],
    ['without slashes', 'https:public.example', SCHEME],
    ['with one slash', 'https:/public.example', SCHEME],
    ['with three slashes', 'https:///public.example', HOST],
    ['that ends before its host', 'https://', HOST],
    ['with a port and no host', 'https://:443/', HOST],
    ['with a host that cannot be', 'https://pub*lic.example/', HOST],
    ['with an address that cannot be', 'https://1.2.3.256:443/', HOST],
    ['with a bracket that is left open', 'https://[::1/', HOST],
    ['with a port that is no number', 'https://public.example:https/hook', PORT],
    ['with a port that is too large', 'https://public.example:65536/', PORT],
    ['with port 0', 'https://public.example:0/', PORT],
    ['with a port behind an IPv6 address that is none', 'https://[2606:4700::1111]:x/', PORT],
    ['with a password', 'https://user:password@public.example/', 'must not contain a user name'],
    ['with a fragment', 'https://public.example/#part', 'must not have a fragment'],
    ['with a space', 'https://public.example/a b', 'must not contain spaces'],
  ])('for a URL %s', async (_name, url, words) => {
    expect((await clientWith(STRICT).refusalOf(url))?.text).toContain(words)
  })
})
