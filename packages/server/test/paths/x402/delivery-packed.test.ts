import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  deflateSync,
  gzip,
  gzipSync,
} from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startVendorStandIn, type VendorStandIn } from './vendor-stand-in.ts'

const MEBIBYTE = 1_024 * 1_024
const JSON_TYPE = 'application/json; charset=utf-8'

let vendor: VendorStandIn

beforeAll(async () => {
  vendor = await startVendorStandIn()
})
afterAll(() => vendor.stop())

describe('what a vendor delivers packed', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('with %s is unpacked, and does not claim to be packed any more', async (encoding, pack) => {
    const headers = { 'content-encoding': encoding, 'content-type': JSON_TYPE }
    const resource = await vendor.resourceOf(pack('{"a":1}'), headers)
    expect(resource).toMatchObject({ body: { a: 1 }, bodyEncoding: 'json', truncated: false })
    expect(resource.headers).not.toHaveProperty('content-encoding')
  })

  test('may be as large as anything else, and not larger', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const fits = await vendor.resourceOf(gzipSync(Buffer.alloc(5 * MEBIBYTE, 'a')), headers)
    expect([String(fits.body).length, fits.truncated]).toEqual([5 * MEBIBYTE, false])
    const bomb = await vendor.resourceOf(gzipSync(Buffer.alloc(5 * MEBIBYTE + 1, 'a')), headers)
    expect(bomb).toMatchObject({ body: '', truncated: true })
  })

  test('to explode is not unpacked', async () => {
    const nothing = Buffer.alloc(32 * MEBIBYTE)
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY }
    // Packed while everything else goes on: client and vendor both watch how long a connection is
    // idle, and whoever stops both for seconds makes them disagree about it.
    const bombs = {
      gzip: await promisify(gzip)(nothing),
      br: await promisify(brotliCompress)(nothing, { params }),
    }
    for (const [encoding, bomb] of Object.entries(bombs)) {
      expect(bomb.length).toBeLessThan(MEBIBYTE)
      const resource = await vendor.resourceOf(bomb, { 'content-encoding': encoding })
      expect(resource).toMatchObject({ body: '', truncated: true })
    }
  })

  test('and damaged is not handed on', async () => {
    const packed = gzipSync('a text that was whole once')
    for (const broken of [packed.subarray(0, 20), Buffer.from('not packed at all')]) {
      const resource = await vendor.resourceOf(broken, { 'content-encoding': 'gzip' })
      expect(resource).toMatchObject({ status: 200, body: '', truncated: true })
    }
  })

  test.each(['identity', 'zstd', 'constructor', '__proto__', 'gzip, gzip'])(
    'with %s is handed on as it came',
    async (encoding) => {
      const resource = await vendor.resourceOf('bytes', { 'content-encoding': encoding })
      expect(resource).toMatchObject({ body: 'bytes', truncated: false })
    },
  )
})

describe('what a vendor delivers in part', () => {
  test('because it is too much is cut at 5 MiB, and not taken for JSON', async () => {
    const text = `"${'a'.repeat(6 * MEBIBYTE)}"`
    const resource = await vendor.resourceOf(text, { 'content-type': JSON_TYPE })
    expect([String(resource.body).length, resource.bodyEncoding, resource.truncated]).toEqual([
      5 * MEBIBYTE,
      'utf8',
      true,
    ])
  })

  test('because the connection ended says so', async () => {
    const { resource } = await vendor.deliveryOf((response) => {
      response.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': '100' })
      response.write('{"a":1}', () => response.socket?.destroy())
    })
    expect(resource).toMatchObject({ body: '{"a":1}', bodyEncoding: 'utf8', truncated: true })
  })

  test('because the time was over says so', async () => {
    const { resource } = await vendor.deliveryOf(
      (response) => response.writeHead(200).write('begun'),
      { timeoutMs: 2_000 },
    )
    expect(resource).toMatchObject({ status: 200, body: 'begun', truncated: true })
  })
})
