import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mintApiKey, parseApiKey } from '../../../src/storage/secrets/api-key-secret.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API key', () => {
  test('says which kind it is, and begins with its public part', () => {
    const { token, publicId } = mintApiKey('live')
    expect(token).toMatch(/^psr_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/)
    expect(token.startsWith(`${publicId}_`)).toBe(true)
    expect(publicId).toMatch(/^psr_live_[0-9A-Za-z]{10}$/)
    expect(mintApiKey('test').token).toMatch(/^psr_test_/)
  })

  test('is known by the SHA-256 of all of it', () => {
    const { token, publicId, hash } = mintApiKey('test')
    expect(hash).toEqual(createHash('sha256').update(token).digest())
    expect(parseApiKey(token)).toEqual({ publicId, hash })
  })

  test('with any one character changed is recognised as mistyped without a database', () => {
    const { token } = mintApiKey('test')
    for (let at = 'psr_test_'.length; at < token.length; at++) {
      for (const char of '0Zz_') {
        if (token[at] === char) continue
        const typo = token.slice(0, at) + char + token.slice(at + 1)
        expect(parseApiKey(typo), `character ${at}`).toBeUndefined()
      }
    }
  })

  test('with two neighbours swapped is recognised as mistyped', () => {
    const { token } = mintApiKey('test')
    for (let at = 9; at < token.length - 1; at++) {
      const swapped = token.slice(0, at) + token[at + 1] + token[at] + token.slice(at + 2)
      if (swapped !== token) expect(parseApiKey(swapped)).toBeUndefined()
    }
  })

  test.each([
    '',
    'psr_test_',
    'sk_live_0123456789_01234567890123456789012345678901abcdef',
    `${mintApiKey('test').token}x`,
    ` ${mintApiKey('test').token}`,
    `${mintApiKey('test').token}\n`,
    mintApiKey('test').token.replace('psr_test', 'psr_live'),
  ])('is not read from %j', (text) => {
    expect(parseApiKey(text)).toBeUndefined()
  })

  test('draws every character equally often', () => {
    const counts = new Map<string, number>()
    const keys = 1_000
    for (let n = 0; n < keys; n++) {
      for (const char of mintApiKey('test').token.slice(20, 52)) {
        counts.set(char, (counts.get(char) ?? 0) + 1)
      }
    }
    const expected = (keys * 32) / ALPHABET.length
    // Six standard deviations: a fair draw leaves them about once in ten million runs.
    const tolerance = 6 * Math.sqrt(expected)
    for (const char of ALPHABET) {
      expect(Math.abs((counts.get(char) ?? 0) - expected), char).toBeLessThan(tolerance)
    }
  })
})
