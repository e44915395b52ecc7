import { describe, expect, test } from 'vitest'
import { toGatewayUrl, toTargetUrl, withoutPassword } from '../../src/listen/target-url.ts'

describe('where to forward to', () => {
  test.each([
    ['4000', 'http://localhost:4000/'],
    [':4000', 'http://localhost:4000/'],
    ['4000/hook?a=1', 'http://localhost:4000/hook?a=1'],
    ['localhost:4000/hook', 'http://localhost:4000/hook'],
    ['receiver:4000', 'http://receiver:4000/'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000/'],
    ['[::1]:4000/hook', 'http://[::1]:4000/hook'],
    ['http://localhost/hook', 'http://localhost/hook'],
    ['HTTPS://dev.example.com/hook', 'https://dev.example.com/hook'],
  ])('is understood from %s', (text, url) => {
    expect(toTargetUrl(text)?.href).toBe(url)
  })

  test.each([
    '',
    '0',
    '70000',
    '/hook',
    'ftp://localhost/',
    'http://',
    'two words',
    'localhost:port',
  ])('is refused when it is "%s"', (text) => {
    expect(toTargetUrl(text)).toBeUndefined()
  })

  test('is printed without a password', () => {
    expect(withoutPassword(new URL('http://me:secret@localhost:4000/hook'))).toBe(
      'http://localhost:4000/hook',
    )
  })
})

describe('the gateway', () => {
  test.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ['http://127.0.0.1:3000/api/v1', 'http://127.0.0.1:3000'],
    ['https://example.com/purser/api/v1/', 'https://example.com/purser'],
    ['3000', 'http://localhost:3000'],
  ])('is understood from %s', (text, url) => {
    expect(toGatewayUrl(text)).toBe(url)
  })

  test('is refused with a password in it, which is not how a key is given', () => {
    expect(toGatewayUrl('http://me:secret@127.0.0.1:3000')).toBeUndefined()
  })
})
