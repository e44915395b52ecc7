import { createConnection, createServer, type Socket } from 'node:net'

/** The messages that clients have sent to the database, read from the wire. */
export interface WireCount {
  /**
   * How often a client sent something while everything it had sent before was answered, over all
   * its connections: the number of times that it waited.
   */
  readonly roundTrips: number
  /** The executed statements in order: the first words of each. */
  readonly statements: readonly string[]
  /** How many of them the server had to parse, because the connection had not prepared them. */
  readonly parses: number
}

export interface WireCounter {
  /** The URL under which clients reach the database. */
  readonly url: string
  /** Counts the messages of all clients until `run` has ended. */
  count(run: () => Promise<unknown>): Promise<WireCount>
  close(): Promise<void>
}

interface Tally {
  roundTrips: number
  statements: string[]
  parses: number
}

/** The server answers each Sync, each Query and the start of the session with ReadyForQuery. */
const ANSWERED_AS_READY: readonly string[] = ['S', 'Q', 'start']

const NOTHING_COUNTED = (): Tally => ({ roundTrips: 0, statements: [], parses: 0 })

/**
 * A proxy between a client and PostgreSQL that counts the messages of the protocol. It holds
 * answers back until everything that was sent is answered. So a statement that was sent because of
 * one answer, while others were pending, counts as a separate round trip.
 */
export async function startWireCounter(url: string): Promise<WireCounter> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let tally = NOTHING_COUNTED()
  const proxy = createServer((client) => {
    const server = createConnection(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.setNoDelay(true).on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    connect(client, server, () => tally)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  return {
    url: Object.assign(new URL(url), { port }).href,
    async count(run) {
      tally = NOTHING_COUNTED()
      await run()
      const counted = tally
      tally = NOTHING_COUNTED()
      return counted
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        proxy.close(() => resolve())
      }),
  }
}

/** Follows the messages of one connection, in both directions. */
function connect(client: Socket, server: Socket, tally: () => Tally): void {
  const readSent = createMessageReader(true)
  const readAnswered = createMessageReader(false)
  const texts = new Map<string, string>()
  let bound = ''
  let unanswered = 0
  let held: Buffer[] = []

  const notes: Readonly<Record<string, (body: Buffer) => void>> = {
    // Parse
    P(body) {
      const [name = '', text = ''] = stringsOf(body, 2)
      texts.set(name, text)
      tally().parses += 1
    },
    // Bind
    B(body) {
      bound = stringsOf(body, 2)[1] ?? ''
    },
    // Execute
    E: () => void tally().statements.push(firstWordsOf(texts.get(bound) ?? '')),
    // Query
    Q: (body) => void tally().statements.push(firstWordsOf(stringsOf(body, 1)[0] ?? '')),
  }

  client.on('data', (bytes) => {
    if (unanswered === 0) tally().roundTrips += 1
    for (const { type, body } of readSent(bytes)) {
      notes[type]?.(body)
      if (ANSWERED_AS_READY.includes(type)) unanswered += 1
    }
    server.write(bytes)
  })
  server.on('data', (bytes) => {
    for (const { type } of readAnswered(bytes)) if (type === 'Z') unanswered -= 1
    held.push(bytes)
    if (unanswered > 0) return
    client.write(Buffer.concat(held))
    held = []
  })
}

interface Message {
  readonly type: string
  readonly body: Buffer
}

/**
 * Every message has a type and a length, except for the client's first, which has no type.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function createMessageReader(startsWithoutType: boolean): (bytes: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0)
  let typeBytes = startsWithoutType ? 0 : 1
  const take = (): Message | undefined => {
    if (rest.length < typeBytes + 4) return undefined
    const end = typeBytes + rest.readInt32BE(typeBytes)
    if (rest.length < end) return undefined
    const type = typeBytes === 0 ? 'start' : rest.toString('latin1', 0, 1)
    const body = rest.subarray(typeBytes + 4, end)
    rest = rest.subarray(end)
    typeBytes = 1
    return { type, body }
  }
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const messages: Message[] = []
    for (let message = take(); message; message = take()) messages.push(message)
    return messages
  }
}

/** The first strings of a message; each ends with a zero byte. */
function stringsOf(body: Buffer, count: number): string[] {
  const strings: string[] = []
  for (let from = 0; strings.length < count; ) {
    const end = body.indexOf(0, from)
    if (end < 0) break
    strings.push(body.toString('utf8', from, end))
    from = end + 1
  }
  return strings
}

function firstWordsOf(text: string): string {
  return text.trim().replace(/\s+/g, ' ').slice(0, 60)
}
