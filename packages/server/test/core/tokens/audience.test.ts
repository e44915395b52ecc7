import { describe, expect, test } from 'vitest'
import { toAudience } from '../../../src/core/tokens/claims.ts'

const originOf = (text: string, allowsLoopback = false) => toAudience(text, allowsLoopback)?.origin

describe('the audience of a token', () => {
  test.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['HTTPS://Shop.EXAMPLE:443', 'https://shop.example'],
    ['https://shop.example.', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('%s has one name, %s', (text, origin) => {
    expect(originOf(text)).toBe(origin)
  })

  test.each([
    '*',
    'https://*',
    'https://*.example',
    'shop.example',
    'http://shop.example',
    'https://shop.example/path',
    'https://shop.example?x=1',
    'https://shop.example#a',
    'https://user@shop.example',
    'https://shop.example\\@evil.example',
    'https://shop.example evil.example',
    'https://shop.example,https://evil.example',
    'https://',
    'ftp://shop.example',
    'http://localhost:8080',
  ])('%s is none', (text) => {
    expect(originOf(text)).toBeUndefined()
  })

  test('may be a program on this machine without https while something is tried out', () => {
    expect(originOf('http://localhost:8080', true)).toBe('http://localhost:8080')
    expect(originOf('http://127.0.0.1', true)).toBe('http://127.0.0.1')
    expect(originOf('http://shop.example', true)).toBeUndefined()
    expect(originOf('http://localhost.evil.example', true)).toBeUndefined()
  })
})
