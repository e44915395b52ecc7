import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'

const PIECES_FREE = 1_000
const PIECE_BYTES_MIN = 256

/** Every piece costs about as much as a kilobyte, however small it is. */
export function isInPieces(pieces: number, bytes: number, free = PIECES_FREE): boolean {
  return pieces > free + bytes / PIECE_BYTES_MIN
}

/**
 * Node reads 64 kB at once, and passes on all pieces in it, even after the body was refused. This
 * drops further pieces on arrival, at a tenth of the cost, and nothing more is read.
 */
export function dropPieces(payload: IncomingMessage): void {
  payload.push = () => false
}

/**
 * Reads a body within the byte limit of its endpoint, in not far more pieces than such a body
 * needs: two megabytes in chunks of one byte would cost ten seconds and 600 MB.
 */
export function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  const bytesMax = request.routeOptions.bodyLimit
  if (Number(request.headers['content-length']) > bytesMax) {
    done(tooLarge(bytesMax), NO_BYTES)
    return
  }
  const pieces: Buffer[] = []
  let bytes = 0

  function onData(piece: Buffer): void {
    bytes += piece.length
    pieces.push(piece)
    if (bytes > bytesMax) end(tooLarge(bytesMax))
    else if (isInPieces(pieces.length, bytes)) {
      dropPieces(payload)
      end(tooManyPieces())
    }
  }

  function onEnd(): void {
    end(null)
  }

  function onError(error: Error): void {
    end(Object.assign(error, { statusCode: 400 }))
  }

  function end(error: Error | null): void {
    payload.off('data', onData).off('end', onEnd).off('error', onError)
    // The rest is not needed. Without a pause Node would still read it.
    if (error) payload.pause()
    // Even a single piece is copied, because it is a view of a larger buffer that Node uses again.
    done(error, error ? NO_BYTES : Buffer.concat(pieces, bytes))
  }

  payload.on('data', onData).on('end', onEnd).on('error', onError)
}

const NO_BYTES = Buffer.alloc(0)

function tooLarge(bytesMax: number): Problem {
  return new Problem(
    'body_too_large',
    `The body exceeds the maximum of ${bytesMax} bytes for this endpoint.`,
    { extra: { limit: bytesMax } },
  )
}

function tooManyPieces(): Problem {
  return new Problem(
    'body_too_large',
    `The body came in too many small chunks. Send it whole, or in chunks of at least ${PIECE_BYTES_MIN} bytes.`,
  )
}
