import { createConnection, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly url: string
  /**
   * Cuts the next connection that sends these bytes: they still reach the server, and the client is
   * cut off when the server answers, without the answer. Counts how often they are sent again.
   */
  cutAnswerTo(words: string): { readonly repeats: number }
  /**
   * Holds back the server's answers, from the next connection that sends these bytes on, until the
   * returned function is called. The bytes themselves reach the server.
   */
  stallAnswerTo(words: string): () => void
  /** How often a client tried to connect while the proxy was away. */
  readonly refused: number
  /** Cuts every connection and accepts none, until `comeBack`. */
  goAway(): void
  comeBack(): void
  /** Sets the target of new connections. */
  leadTo(url: string): void
  close(): Promise<void>
}

interface Stall {
  readonly words: string
  readonly isOver: Promise<void>
}

/** A proxy between a client and a server on the loopback, to break real connections. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  let target = new URL(url)
  const sockets = new Set<Socket>()
  let fatal: { readonly words: string; repeats: number } | undefined
  let refused = 0
  let isAway = false
  let stall: Stall | undefined
  const proxy = createServer((client) => {
    if (isAway) {
      refused += 1
      client.resetAndDestroy()
      return
    }
    const server = createConnection(Number(target.port), target.hostname)
    let isCut = false
    let stalled: Stall | undefined
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        // After a cut the connection is ended and not destroyed: a reset could discard bytes that
        // the server has not read yet.
        if (isCut) server.end()
        else server.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (fatal && bytes.includes(fatal.words)) {
        fatal.repeats += 1
        isCut = fatal.repeats === 0
      }
      if (stall && bytes.includes(stall.words)) {
        stalled = stall
        stall = undefined
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isCut) client.destroy()
      else if (stalled) void stalled.isOver.then(() => client.write(bytes))
      else client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  return {
    url: Object.assign(new URL(url), { port }).href,
    cutAnswerTo: (words) => {
      fatal = { words, repeats: -1 }
      return fatal
    },
    get refused() {
      return refused
    },
    stallAnswerTo: (words) => {
      let end = (): void => {}
      const isOver = new Promise<void>((resolve) => {
        end = resolve
      })
      stall = { words, isOver }
      return () => end()
    },
    goAway: () => {
      isAway = true
      for (const socket of sockets) socket.destroy()
    },
    comeBack: () => {
      isAway = false
    },
    leadTo: (next) => {
      target = new URL(next)
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        proxy.close(() => resolve())
      }),
  }
}
