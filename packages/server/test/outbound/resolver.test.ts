import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutboundClient } from '../../src/outbound/outbound-client.ts'
import { createDnsResolve } from '../../src/outbound/resolver.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type NameServer, startNameServer } from './name-server.ts'

let names: NameServer
beforeAll(async () => {
  names = await startNameServer({
    'A both.example': ['93.184.216.34', '93.184.216.35'],
    'AAAA both.example': ['2606:4700::1111'],
    'A only-ipv4.example': ['93.184.216.34'],
    'AAAA only-ipv6.example': ['2606:4700::1111'],
    'A half-broken.example': ['93.184.216.34'],
    'AAAA half-broken.example': 'broken',
    'A unknown.example': 'unknown',
    'AAAA unknown.example': 'unknown',
    'A broken.example': 'broken',
    'AAAA broken.example': 'broken',
    'A silent.example': 'silent',
    'AAAA silent.example': 'silent',
    'A private.example': ['10.0.0.1'],
  })
})
afterAll(() => names.close())

const resolveFresh = (name: string, signal = new AbortController().signal) =>
  createDnsResolve([names.address])(name, signal)

test.each([
  ['both.example', ['93.184.216.34', '93.184.216.35', '2606:4700::1111']],
  ['only-ipv4.example', ['93.184.216.34']],
  ['only-ipv6.example', ['2606:4700::1111']],
  ['half-broken.example', ['93.184.216.34']],
])('%s has the addresses %j', async (name, addresses) => {
  const found = await resolveFresh(name)
  expect(found.toSorted()).toEqual(addresses.toSorted())
})

test('IPv4 comes first', async () => {
  expect((await resolveFresh('both.example')).at(-1)).toBe('2606:4700::1111')
})

test.each([
  ['unknown.example', 'ENOTFOUND'],
  ['empty.example', 'ENODATA'],
  ['broken.example', 'ESERVFAIL'],
])('%s is not resolved: %s', async (name, code) => {
  await expect(resolveFresh(name)).rejects.toMatchObject({ code })
})

test('an aborted query ends at once', async () => {
  const giveUp = new AbortController()
  const answer = resolveFresh('silent.example', giveUp.signal)
  await waitUntil(() => names.asked.includes('AAAA silent.example'))
  giveUp.abort()
  await expect(answer).rejects.toMatchObject({ code: 'ECANCELLED' })
})

test('a query without an answer times out', async () => {
  await expect(resolveFresh('silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' })
})

test('an answer is cached briefly, and a failure is not', async () => {
  const resolve = createDnsResolve([names.address])
  const { signal } = new AbortController()
  const askedBefore = names.asked.length
  await resolve('only-ipv4.example', signal)
  await resolve('only-ipv4.example', signal)
  expect(names.asked.slice(askedBefore).toSorted()).toEqual([
    'A only-ipv4.example',
    'AAAA only-ipv4.example',
  ])
  await expect(resolve('unknown.example', signal)).rejects.toThrow()
  await expect(resolve('unknown.example', signal)).rejects.toThrow()
  expect(names.asked.slice(askedBefore)).toHaveLength(6)
})

test('the client checks the addresses from the name server', async () => {
  const client = createOutboundClient(
    { allowLoopback: true, allowedNetworks: [] },
    { resolve: createDnsResolve([names.address]) },
  )
  expect(await client.refusalOf('https://both.example/')).toBeUndefined()
  expect(await client.refusalOf('https://unknown.example/')).toBeUndefined()
  const refusal = await client.refusalOf('https://private.example/')
  expect(refusal?.text).toContain('leads to 10.0.0.1')
  await client.close()
})
