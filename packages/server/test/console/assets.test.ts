import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { headOf, openConnection } from '../support/raw-connection.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  BROWSER,
  FONT,
  FONT_PATH,
  PAGE,
  SCRIPT,
  SCRIPT_PATH,
  type ServedConsole,
  startConsole,
} from './built-console.ts'

let served: ServedConsole
beforeAll(async () => {
  served = await startConsole()
})
afterAll(() => served.stop())

describe('a file of the console', () => {
  test.each([
    [SCRIPT_PATH, 'text/javascript; charset=utf-8'],
    ['/assets/index-DSupIbv5.css', 'text/css; charset=utf-8'],
    ['/assets/favicon-d11of68P.svg', 'image/svg+xml; charset=utf-8'],
    [FONT_PATH, 'font/woff2'],
  ])('%s is kept forever, with its type', async (path, type) => {
    const { status, headers } = await served.send(path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; /),
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('comes to a client that accepts %s as %s', async (accepted, encoding) => {
    const asked = accepted === undefined ? {} : { 'accept-encoding': accepted }
    for (const [path, content] of [
      [SCRIPT_PATH, SCRIPT],
      ['/', PAGE],
    ] as const) {
      const { headers, body } = await served.send(path, asked)
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers['content-length']).toBe(String(body.length))
      expect(decode(body, encoding)).toBe(content)
    }
  })

  test('comes uncompressed if the build has not compressed it', async () => {
    const { headers, text } = await served.send(FONT_PATH, { 'accept-encoding': 'br, gzip' })
    expect([text, headers['content-encoding']]).toEqual([FONT, undefined])
  })

  test('comes without its content to HEAD', async () => {
    const { status, headers, text } = await served.send(SCRIPT_PATH, {}, 'HEAD')
    expect([status, text]).toEqual([200, ''])
    expect(headers['content-length']).toBe(String(SCRIPT.length))
    expect(headers['cache-control']).toContain('immutable')
  })

  test.each([
    ...['/assets', '/assets/', '/assets/nothing.js', '/assets/index.html', '/assets/.built-from'],
    ...[`${SCRIPT_PATH}.br`, `${SCRIPT_PATH}.gz`, `${SCRIPT_PATH}/`, `/assets/${SCRIPT_PATH}`],
    ...['/assets/../index.html', '/assets/../../secret.txt', '/assets/..%2f..%2fsecret.txt'],
    ...['/assets/%2e%2e/%2e%2e/secret.txt', '/assets/..\\..\\secret.txt', '/assets//etc/passwd'],
    ...[`${SCRIPT_PATH}%00`, '/assets/%00', '/assets/constructor', '/assets/__proto__'],
    ...['/assets/....//....//secret.txt'],
  ])('is not found at %s', async (path) => {
    const { status, headers, text } = await served.send(path, BROWSER)
    expect(status).toBe(404)
    expect(headers['cache-control']).toBe('no-store')
    expect(text).not.toContain('not of the console')
    if (!path.includes('..')) expect(JSON.parse(text).code).toBe('route_not_found')
  })

  test('is not found at an address that cannot be decoded', async () => {
    const { status } = await served.send('/assets/%c0%ae%c0%ae/secret.txt', BROWSER)
    expect(status).toBe(400)
  })

  test('is not found at an address with a NUL', async () => {
    const connection = await openConnection(served.url)
    onTestFinished(connection.end)
    connection.write(headOf('GET', `${SCRIPT_PATH}\0`))
    await waitUntil(() => connection.received.isOver)
    expect(connection.statuses()).toEqual(['400'])
  })
})

function decode(body: Buffer, encoding: string | undefined): string {
  if (encoding === 'br') return brotliDecompressSync(body).toString()
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString()
}
