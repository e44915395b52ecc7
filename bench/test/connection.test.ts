import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { sendInTurn, toRequest, type WholeAnswer } from '../connection.ts'

const REQUEST = toRequest('POST', '/spend', 'key', '{"amount":1}')

/** Sends this many requests to a server that answers with these pieces, each in its own write. */
async function sendTo(pieces: readonly string[], requests: number) {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      received.push(bytes.toString())
      void answer(socket, pieces)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const answers: WholeAnswer[] = []
  let left = requests
  const take = () => (left-- > 0 ? REQUEST : undefined)
  await sendInTurn({ port, take, onAnswer: (whole) => answers.push(whole) })
  server.close()
  return { received, answers }
}

async function answer(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.writableEnded) return
    if (piece === 'close') socket.end()
    else await new Promise((resolve) => socket.write(piece, () => setImmediate(resolve)))
  }
}

test('an answer counts once it is whole, in however many pieces it comes', async () => {
  const pieces = ['HTTP/1.1 200 OK\r\ncontent-le', 'ngth: 4\r\n', '\r\nbo', 'dy']
  const { answers, received } = await sendTo(pieces, 3)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answers.every(({ bytes }) => bytes.toString() === pieces.join(''))).toBe(true)
  expect(received).toEqual(Array(3).fill(REQUEST.toString()))
})

test('a server that closes ends the connection, and what it refused is told', async () => {
  const refusal = 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n'
  const { answers } = await sendTo([refusal, 'close'], 2)
  expect(answers[0]?.status).toBe(429)
})

test('a request is one that HTTP understands', () => {
  expect(REQUEST.toString()).toBe(
    'POST /spend HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer key\r\n' +
      'content-type: application/json\r\ncontent-length: 12\r\n\r\n{"amount":1}',
  )
})
