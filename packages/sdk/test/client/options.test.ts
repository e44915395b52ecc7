import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type PurserOptions, readOptions } from '../../src/client/options.ts'
import { Purser, PurserError } from '../../src/index.ts'

const KEY = 'psk_test_0123456789'
const NAMES = ['PURSER_API_KEY', 'PURSER_BASE_URL', 'PURSER_URL']

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const urlOf = (options: PurserOptions = {}) => readOptions({ apiKey: KEY, ...options }).baseUrl

function mistakeOf(options: PurserOptions): PurserError {
  try {
    readOptions(options)
  } catch (error) {
    if (PurserError.is(error)) return error
    throw error
  }
  throw new Error('The options are accepted.')
}

describe('the API key', () => {
  test('comes from the options, then from the environment', () => {
    vi.stubEnv('PURSER_API_KEY', ' psk_of_environment\n')
    expect(readOptions({}).apiKey).toBe('psk_of_environment')
    expect(readOptions({ apiKey: KEY }).apiKey).toBe(KEY)
    expect(readOptions({ apiKey: null }).apiKey).toBeNull()
  })

  test.each([
    { options: {}, problem: 'no key' },
    { options: { apiKey: '' }, problem: 'an empty key' },
    { options: { apiKey: '  ' }, problem: 'blanks' },
  ])('is missing: $problem', ({ options }) => {
    const { code, detail } = mistakeOf(options)
    expect(code).toBe('invalid_option')
    expect(detail).toContain('PURSER_API_KEY')
    expect(detail).toContain('PURSER_API_KEY')
  })

  test('is in no message, even if it is mistyped', () => {
    for (const apiKey of ['psk_secret\nsecond', 'psk_secret“', 'psk secret']) {
      expect(mistakeOf({ apiKey }).message).not.toContain('secret')
    }
  })
})

describe('the address of the gateway', () => {
  test('is the one of the options, of PURSER_BASE_URL, of PURSER_URL, or the own machine', () => {
    expect(urlOf()).toBe('http://127.0.0.1:3000')
    vi.stubEnv('PURSER_URL', 'https://second.example')
    expect(urlOf()).toBe('https://second.example')
    vi.stubEnv('PURSER_BASE_URL', 'https://first.example')
    expect(urlOf()).toBe('https://first.example')
    expect(urlOf({ baseUrl: 'https://own.example' })).toBe('https://own.example')
  })

  test.each([
    ['https://gateway.example', 'https://gateway.example'],
    ['https://gateway.example/', 'https://gateway.example'],
    ['https://gateway.example/api/v1', 'https://gateway.example'],
    ['https://gateway.example/api/v1//', 'https://gateway.example'],
    ['https://gateway.example:8443/purser/api/v1/', 'https://gateway.example:8443/purser'],
    ['HTTPS://Gateway.Example/purser/', 'https://gateway.example/purser'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.8.9.1:80/api/v1', 'http://127.8.9.1'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
  ])('%s is %s', (baseUrl, expected) => {
    expect(urlOf({ baseUrl })).toBe(expected)
  })

  test.each(['', 'gateway.example', 'localhost:3000', 'ftp://gateway.example', 'https://'])(
    'is refused: %j',
    (baseUrl) => {
      const { code, detail } = mistakeOf({ apiKey: KEY, baseUrl })
      expect(code).toBe('invalid_option')
      expect(detail).toContain('https://purser.example.com')
    },
  )

  test.each([
    'https://ada:secret@gateway.example',
    'https://secret@gateway.example',
    'https://gateway.example/?token=secret',
    'https://gateway.example/#secret',
  ])('has nothing that is secret: %s', (baseUrl) => {
    const { code, message } = mistakeOf({ apiKey: KEY, baseUrl })
    expect(code).toBe('invalid_option')
    expect(message).not.toContain('secret')
  })

  test.each([
    'http://gateway.example',
    'http://10.0.0.5:3000',
    'http://0.0.0.0:3000',
    'http://localhost.example',
    'http://127.0.0.1.example',
  ])('is not a different machine without encryption: %s', (baseUrl) => {
    expect(mistakeOf({ apiKey: KEY, baseUrl }).detail).toContain('allowHttp')
    expect(urlOf({ baseUrl, allowHttp: true })).toBe(baseUrl)
  })

  test('names the variable of the environment in its mistakes', () => {
    vi.stubEnv('PURSER_URL', 'gateway.example')
    expect(mistakeOf({ apiKey: KEY }).detail).toContain('PURSER_URL')
    vi.stubEnv('PURSER_BASE_URL', 'http://gateway.example')
    expect(mistakeOf({ apiKey: KEY }).detail).toContain('gateway.example')
  })

  test('is the origin of the page without a key, also over plain http', () => {
    vi.stubGlobal('location', { origin: 'http://purser.internal:3000' })
    expect(readOptions({ apiKey: null }).baseUrl).toBe('http://purser.internal:3000')
    expect(urlOf()).toBe('http://127.0.0.1:3000')
    const baseUrl = 'https://gateway.example'
    expect(readOptions({ apiKey: null, baseUrl }).baseUrl).toBe(baseUrl)
  })
})

describe('numbers', () => {
  test('have defaults', () => {
    expect(readOptions({ apiKey: KEY })).toMatchObject({ timeoutMs: 60_000, retries: 4 })
    expect(readOptions({ apiKey: KEY, retries: 0, timeoutMs: 1 })).toMatchObject({
      ...{ retries: 0, timeoutMs: 1 },
    })
  })

  test.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: Number.POSITIVE_INFINITY },
    { timeoutMs: '5000' as unknown as number },
    { retries: -1 },
    { retries: Number.NaN },
  ])('are refused: %o', async (numbers) => {
    const [name = ''] = Object.keys(numbers)
    expect(mistakeOf({ apiKey: KEY, ...numbers }).detail).toContain(name)
    const purser = new Purser({ apiKey: KEY, fetch: async () => Response.json({}) })
    await expect(purser.organization.get(numbers)).rejects.toMatchObject({ code: 'invalid_option' })
  })
})
