import { describe, expect, test } from 'vitest'
import { createClientAddress } from '../../src/http/auth/client-address.ts'

const at = (ip: string, forwarded?: string) => ({
  ip,
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})

describe('where a request comes from', () => {
  const behind = createClientAddress(['10.0.0.0/8', 'fd00::/8'])

  test.each([
    ['a stranger who says something', at('192.0.2.1', '203.0.113.9'), '192.0.2.1'],
    ['the nearest proxy, which says nothing', at('10.0.0.1'), '10.0.0.1'],
    ['the client of a proxy', at('10.0.0.1', '203.0.113.9'), '203.0.113.9'],
    ['the client of two proxies', at('10.0.0.1', '203.0.113.9, 10.0.0.2'), '203.0.113.9'],
    ['a client who made up another', at('10.0.0.1', '1.1.1.1, 203.0.113.9'), '203.0.113.9'],
    ['a client over IPv6', at('fd00::1', '2001:db8::9'), '2001:db8::9'],
    ['nonsense, which ends it', at('10.0.0.1', '203.0.113.9, x, 10.0.0.2'), '10.0.0.2'],
  ])('is told of %s', (_, request, address) => {
    expect(behind(request)).toBe(address)
  })

  test('is the other end of the connection where no proxy is named', () => {
    expect(createClientAddress([])(at('10.0.0.1', '203.0.113.9'))).toBe('10.0.0.1')
  })
})
