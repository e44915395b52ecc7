import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { chooseEncoding, type Encoding } from '../accepted-encoding.ts'
import type { App } from '../app.ts'
import { HIDDEN } from '../health.ts'

/** The document in one encoding. The tag names both, because their bytes differ. */
interface Written {
  readonly content: Buffer
  readonly tag: string
}

type Variants = ReadonlyMap<Encoding | undefined, Written>

/**
 * Serves `/openapi.json`. The first request writes and compresses it, because most processes are never
 * asked for it. It never changes while the process runs, and any client may request it any number of
 * times.
 */
export function documentRoutes(app: App): void {
  let written: Promise<Variants> | undefined

  app.get('/openapi.json', HIDDEN, async ({ headers }, reply) => {
    written ??= app.readDocument().then((document) => write(JSON.stringify(document)))
    const encoding = chooseEncoding(headers['accept-encoding'])
    const variant = (await written).get(encoding)
    if (!variant) throw new Error('Every encoding of the document is written.')
    reply
      .header('etag', variant.tag)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
    if (isKnown(headers['if-none-match'], variant.tag)) return reply.code(304).send()
    if (encoding) reply.header('content-encoding', encoding)
    return reply.header('content-type', 'application/json; charset=utf-8').send(variant.content)
  })
}

/** About as small as with the highest quality, in a twentieth of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

async function write(text: string): Promise<Variants> {
  const plain = Buffer.from(text)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, BROTLI),
    promisify(gzip)(plain),
  ])
  const digest = hash('sha256', text, 'base64url')
  return new Map<Encoding | undefined, Written>([
    [undefined, { content: plain, tag: `"${digest}"` }],
    ['br', { content: br, tag: `"${digest}-br"` }],
    ['gzip', { content: gz, tag: `"${digest}-gzip"` }],
  ])
}

/** A weak comparison (RFC 9110, section 13.1.2), because proxies mark tags as weak. */
function isKnown(header: string | undefined, tag: string): boolean {
  const tags = header?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return tags.includes(tag) || tags.includes('*')
}
