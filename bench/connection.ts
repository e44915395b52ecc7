import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')

export interface WholeAnswer {
  readonly status: number
  /** The head and the body. */
  readonly bytes: Buffer
  readonly latencyMs: number
}

interface Turns {
  readonly port: number
  /** Returns the next request, or undefined to end. */
  take(): Buffer | undefined
  onAnswer(answer: WholeAnswer): void
}

/** A request in the form that `sendInTurn` sends. */
export function toRequest(
  method: 'GET' | 'POST',
  path: string,
  apiKey: string,
  body = '',
  idempotencyKey?: string,
): Buffer {
  const type = body === '' ? '' : 'content-type: application/json\r\n'
  const key = idempotencyKey === undefined ? '' : `idempotency-key: ${idempotencyKey}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\n` +
      `${key}${type}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/**
 * Sends prepared requests on one keep-alive connection, each after the previous one is answered. It
 * uses a bare socket: it shares two cores with the server that it measures, and an HTTP client
 * would cost as much as the server. Resolves when there is nothing more to send, or when the server
 * has closed.
 */
export function sendInTurn({ port, take, onAnswer }: Turns): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sentAt = 0
    let answer = createAnswerReader()
    const send = (): void => {
      const request = take()
      if (request === undefined) {
        socket.end()
        return
      }
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      const whole = answer(chunk)
      if (whole === undefined) return
      onAnswer({ ...whole, latencyMs: performance.now() - sentAt })
      answer = createAnswerReader()
      send()
    })
  })
}

/**
 * Returns the answer once it is complete. Our gateway sends a content-length with every answer to
 * these requests.
 */
function createAnswerReader(): (chunk: Buffer) => Omit<WholeAnswer, 'latencyMs'> | undefined {
  const chunks: Buffer[] = []
  let size = 0
  let expected: number | undefined
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    expected ??= sizeOf(Buffer.concat(chunks))
    if (expected === undefined || size < expected) return undefined
    const bytes = Buffer.concat(chunks)
    return { status: Number(bytes.toString('latin1', 9, 12)), bytes }
  }
}

function sizeOf(received: Buffer): number | undefined {
  const head = received.indexOf(HEAD_END)
  if (head < 0) return undefined
  const text = received.toString('latin1', 0, head)
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN)
  return head + HEAD_END.length + length
}
