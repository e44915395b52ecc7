import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, weightsOf } from '../http/accepted-encoding.ts'
import type { App } from '../http/app.ts'
import { boundUnreadBody } from '../http/body/unread-body.ts'
import { pathOf } from '../http/known-addresses.ts'
import { type Address, readAddress } from './addresses.ts'
import { type BuiltFiles, PAGE_FILE } from './built-files.ts'
import { contentTypeOf, FOREVER, SECURITY_HEADERS } from './headers.ts'

const ASSETS = '/assets/'

/** The answer to a request: a file, or the present address of a page that has moved. */
type Answer =
  | { readonly name: string; readonly status: 200 | 404; readonly isAsset: boolean }
  | { readonly to: string }

/**
 * Serves the console: its assets, its pages, and a page for unknown addresses that a person opens.
 * It sees only requests that have no route, so it can take no address of the API. Programs get the
 * same JSON errors as without a console.
 */
export function serveConsole(app: App, files: BuiltFiles): void {
  app.fallbacks.push(async (request, reply) => {
    const answer = answerTo(request, files)
    if (!answer) return false
    return 'to' in answer ? redirect(request, reply, answer.to) : sendFile(request, reply, answer)
  })

  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, status, isAsset }: Exclude<Answer, { readonly to: string }>,
  ): Promise<boolean> {
    const file = await files.read(name, chooseEncoding(request.headers['accept-encoding']))
    if (!file) return false
    if (file.encoding) reply.header('content-encoding', file.encoding)
    reply
      .code(status)
      .headers(SECURITY_HEADERS)
      .header('cache-control', isAsset ? FOREVER : 'no-store')
      .header('content-type', contentTypeOf(name))
      .header('vary', isAsset ? 'accept-encoding' : 'accept, accept-encoding')
    boundUnreadBody(request, reply)
    reply.send(file.content)
    return true
  }
}

/** Returns undefined if the console does not answer the request. */
function answerTo(request: FastifyRequest, files: BuiltFiles): Answer | undefined {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const path = pathOf(request)
  const asset = path.slice(1)
  if (path.startsWith(ASSETS) && files.has(asset))
    return { name: asset, status: 200, isAsset: true }
  const address = readAddress(path)
  if (!isForPeople(address, headers)) return undefined
  if (address.kind === 'moved') return { to: address.to }
  return { name: PAGE_FILE, status: address.kind === 'page' ? 200 : 404, isAsset: false }
}

/** Whether to answer with a page, and not with the JSON error that programs get. */
function isForPeople({ kind }: Address, headers: IncomingHttpHeaders): boolean {
  if (kind === 'reserved') return false
  return wantsPage(headers) || (kind !== 'unknown' && takesPage(headers))
}

/**
 * The browser adds the part after `#`, which it never sends, to the new address. The address begins
 * with a path of ours, so it cannot lead to a different host.
 */
function redirect(request: FastifyRequest, reply: FastifyReply, to: string): boolean {
  const { url } = request
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  reply
    .headers(SECURITY_HEADERS)
    .header('vary', 'accept')
    .header('location', to + query)
    .code(308)
  boundUnreadBody(request, reply)
  reply.send('')
  return true
}

/** Whether the client names HTML, as browsers do when a person opens a page. */
function wantsPage({ accept }: IncomingHttpHeaders): boolean {
  return (weightsOf(accept).get('text/html') ?? 0) > 0
}

/**
 * Whether the client takes a page, as curl and link previews do, which accept everything. A client
 * with credentials is a program that called an address of the API without its prefix: it needs the
 * error.
 */
function takesPage({ accept, authorization }: IncomingHttpHeaders): boolean {
  if (authorization !== undefined) return false
  if (accept === undefined) return true
  const weights = weightsOf(accept)
  return (weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0) > 0
}
