import { nodeRequest } from './node-request.ts'

export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export interface Answered {
  readonly status: number
  readonly text: string
}

/** The largest accepted answer. Real answers of the gateway are smaller. */
const ANSWER_BYTES_MAX = 16_000_000

/**
 * Sends a request and returns the whole answer, without following redirects. Throws if there is no
 * answer. (The fetch of Node 20 never settles on a connection that is closed as soon as it is open,
 * for example by a tunnel without a target, and the process ends without a message.)
 */
export function sendRequest(
  url: string,
  { method, headers, body, signal }: Sent,
): Promise<Answered> {
  const target = new URL(url)
  const request = nodeRequest(target)
  return new Promise((resolve, reject) => {
    const call = request(target, { method, headers, agent: false, signal })
    call.once('error', reject)
    call.once('response', (response) => {
      const pieces: Buffer[] = []
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        bytes += piece.length
        if (bytes > ANSWER_BYTES_MAX) response.destroy(new Error('the answer is too long'))
      })
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(pieces).toString()
        resolve({ status: response.statusCode ?? 0, text })
      })
    })
    call.end(body)
  })
}
