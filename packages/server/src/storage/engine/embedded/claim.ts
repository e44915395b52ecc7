import { createConnection, createServer, type Server, type Socket } from 'node:net'

/**
 * A process's lasting claim on a data folder. Other processes can ask about it over a local socket.
 */
export interface Claim {
  /** Announces to all connected processes that this process holds the folder. */
  hold(): void
  withdraw(): Promise<void>
}

/** The state of a different process's claim. `pid` is 0 if the process did not send it. */
export type Verdict =
  | { readonly kind: 'gone' }
  | { readonly kind: 'starting'; readonly pid: number }
  | { readonly kind: 'held'; readonly pid: number }

/**
 * A busy holder accepts a connection through its kernel but answers late. It counts as a holder.
 */
const ANSWER_WITHIN_MS = 5_000

/** The last code: the connection was reset while it waited to be accepted, so the claim has ended. */
const GONE_CODES = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET'])

/** Listens at the path. A process that connects gets the state at once, and again when it changes. */
export async function makeClaim(path: string): Promise<Claim> {
  let isHeld = false
  const askers = new Set<Socket>()
  const tell = (asker: Socket): void => {
    if (isHeld) asker.end(`held ${process.pid}\n`)
    else asker.write(`starting ${process.pid}\n`)
  }
  const server = createServer((asker) => {
    askers.add(asker)
    asker.on('error', () => {})
    asker.on('close', () => askers.delete(asker))
    tell(asker)
  })
  await listen(server, path)
  // The claim must not keep a process alive that has nothing else to do.
  server.unref()
  return {
    hold: () => {
      isHeld = true
      for (const asker of askers) tell(asker)
    },
    withdraw: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const asker of askers) asker.destroy()
      }),
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

/**
 * Asks the claim at the path. With `untilSettled` it does not accept the answer "starting", but
 * waits until the other process holds the folder or is gone.
 */
export function askClaim(path: string, untilSettled: boolean): Promise<Verdict> {
  return new Promise((resolve) => {
    let answer = ''
    let isConnected = false
    const socket = createConnection(path)
    const settle = (verdict: Verdict): void => {
      socket.destroy()
      resolve(verdict)
    }
    socket.setEncoding('utf8')
    socket.setTimeout(ANSWER_WITHIN_MS, () => settle({ kind: 'held', pid: pidOf(answer) }))
    socket.on('connect', () => {
      isConnected = true
    })
    socket.on('data', (text: string) => {
      answer += text
      if (/^held \d+$/m.test(answer)) settle({ kind: 'held', pid: pidOf(answer) })
      else if (!untilSettled) settle({ kind: 'starting', pid: pidOf(answer) })
    })
    socket.on('close', () => settle({ kind: 'gone' }))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      settle(
        isConnected || GONE_CODES.has(error.code ?? '')
          ? { kind: 'gone' }
          : { kind: 'held', pid: 0 },
      )
    })
  })
}

function pidOf(answer: string): number {
  return Number(/\d+/.exec(answer)?.[0] ?? 0)
}
