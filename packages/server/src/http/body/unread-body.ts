import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dropPieces, isInPieces } from './read-body.ts'

const BYTES_MAX = 262_144
const PIECES_FREE = 100
const WAIT_MS = 2_000

/**
 * Answers at once, although the body of the request may still be on its way and was not read. The
 * connection is closed after such an answer. Before that, a bounded part of the body is read and
 * dropped: a client that is still sending when its connection is closed sees a reset instead of the
 * answer. A body that has arrived in full costs nothing more, so its connection is kept.
 */
export function sendBeforeBody(request: FastifyRequest, reply: FastifyReply, text: string): void {
  if (!isUnread(request)) {
    sendAndKeep(reply, text)
    return
  }
  // Whether the body arrived together with the head is known only after Node has read all of it.
  setImmediate(() => {
    if (isUnread(request)) sendAndClose(request, reply, text)
    else sendAndKeep(reply, text)
  })
}

/** Fastify would close the connection for every refused body. */
function sendAndKeep(reply: FastifyReply, text: string): void {
  // The client may also have asked to close the connection.
  const mayStay = !reply.server.leaving.isLeaving() && reply.raw.shouldKeepAlive
  if (reply.hasHeader('connection') && mayStay) reply.header('connection', 'keep-alive')
  reply.send(text)
}

function sendAndClose({ raw }: FastifyRequest, reply: FastifyReply, text: string): void {
  reply
    .header('connection', 'close')
    .header('content-length', Buffer.byteLength(text))
    .send(Readable.from(answerThenDiscard(text, raw), { objectMode: false }))
}

/** For a request that is answered without its body: drops the body, up to a limit. */
export function boundUnreadBody(request: FastifyRequest, reply: FastifyReply): void {
  if (!isUnread(request)) return
  const { raw } = request
  void discard(raw).then(() => {
    if (raw.complete) return
    const close = (): void => void raw.socket.destroy()
    if (reply.raw.writableFinished) close()
    else reply.raw.once('finish', close)
  })
}

/** Only real connections say whether a request is complete. Without a body they say so at once. */
function isUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete !== false || raw.destroyed) return false
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** The client has the complete answer once it has received the announced number of bytes. */
async function* answerThenDiscard(text: string, raw: IncomingMessage): AsyncGenerator<string> {
  yield text
  await discard(raw)
}

/** Resolves when the body has ended, or when enough of it was read. */
function discard(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    let pieces = 0

    function onData(piece: Buffer): void {
      bytes += piece.length
      pieces += 1
      if (bytes > BYTES_MAX) end()
      // Then nothing arrives any more, and the wait lets the client read its answer.
      else if (isInPieces(pieces, bytes, PIECES_FREE)) dropPieces(raw)
    }

    function end(): void {
      clearTimeout(timer)
      raw.off('data', onData).off('end', end).off('close', end).pause()
      resolve()
    }

    const timer = setTimeout(end, WAIT_MS)
    raw.on('data', onData).on('end', end).on('close', end).resume()
  })
}
