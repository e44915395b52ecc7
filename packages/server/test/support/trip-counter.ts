import { createConnection, createServer, type Socket } from 'node:net'

export interface Trips {
  /** How often somebody waited for the server. */
  readonly roundTrips: number
  /** Begin and commit are among them. */
  readonly statements: number
}

export interface TripCounter {
  readonly url: string
  /** What all connections together have cost while `run` ran. */
  count(run: () => Promise<unknown>): Promise<Trips>
  close(): Promise<void>
}

/**
 * Stands between a client and a database server on the loopback and counts what the protocol shows. A round
 * trip begins with a statement that is sent while no other statement of its connection is unanswered: what
 * is sent together is answered together. It needs the client in its own process, whose statements of one
 * turn have all been sent when the proxy reads the first of them.
 */
export async function startTripCounter(url: string): Promise<TripCounter> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const total = { roundTrips: 0, statements: 0 }
  const proxy = createServer((client) => {
    const server = createConnection(Number(target.port), target.hostname)
    let unanswered = 0
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    // The first message of a connection has no type. After it and the password, a Sync or a simple
    // query asks for an answer, which ends with ReadyForQuery.
    const asked = readMessages(true, (type) => {
      if (type !== 'S' && type !== 'Q') return
      total.statements += 1
      if (unanswered === 0) total.roundTrips += 1
      unanswered += 1
    })
    const answered = readMessages(false, (type) => {
      if (type === 'Z') unanswered = Math.max(0, unanswered - 1)
    })
    client.on('data', (bytes) => {
      asked(bytes)
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      answered(bytes)
      client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  return {
    url: Object.assign(new URL(url), { port }).href,
    async count(run) {
      const before = { ...total }
      await run()
      return {
        roundTrips: total.roundTrips - before.roundTrips,
        statements: total.statements - before.statements,
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        proxy.close(() => resolve())
      }),
  }
}

/** Tells the type of each message in a stream of bytes, wherever the bytes are cut. */
function readMessages(
  hasUntypedStart: boolean,
  onMessage: (type: string) => void,
): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let headerBytes = hasUntypedStart ? 0 : 1

  /** The end of the first message, if all of it is there. */
  function endOfFirst(): number | undefined {
    if (rest.length < headerBytes + 4) return undefined
    const end = headerBytes + rest.readInt32BE(headerBytes)
    return end <= rest.length ? end : undefined
  }
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (let end = endOfFirst(); end !== undefined; end = endOfFirst()) {
      if (headerBytes === 1) onMessage(rest.toString('latin1', 0, 1))
      headerBytes = 1
      rest = rest.subarray(end)
    }
  }
}
