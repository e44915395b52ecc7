import { createConnection, createServer, type Socket } from 'node:net'

/** Bytes that the link keeps. */
interface Held {
  /** Resolves once the bytes have arrived at the link. */
  readonly arrived: Promise<void>
  /** Passes them on, if their connection is still open. */
  release(): void
}

/** A proxy between the coordinator and a worker. It can be slow, and keep bytes. */
export interface WorkerLink {
  /** The address of the worker for the coordinator. */
  readonly url: string
  /** How many connections are open. */
  readonly open: number
  /** Passes each piece of bytes on only after this time, in both directions. */
  delay(ms: number): void
  /**
   * Keeps the next command with these words (`command`), or only the answer to it (`answer`), and what
   * follows on that connection.
   */
  hold(words: string, what: 'command' | 'answer'): Held
  close(): Promise<void>
}

interface Hold extends Held {
  readonly words: string
  readonly what: 'command' | 'answer'
  readonly isOver: Promise<void>
  noteArrival(): void
}

export async function startWorkerLink(workerUrl: string): Promise<WorkerLink> {
  const target = new URL(workerUrl)
  const sockets = new Set<Socket>()
  let delayMs = 0
  let awaited: Hold | undefined

  const server = createServer((coordinator) => {
    const worker = createConnection(Number(target.port), target.hostname)
    let answered: Hold | undefined
    for (const socket of [coordinator, worker]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    const toWorker = createLane(worker)
    const toCoordinator = createLane(coordinator)
    // What the link still keeps for the worker is lost with the coordinator.
    coordinator.on('close', () => worker.destroy())
    worker.on('close', () => toCoordinator.end())
    coordinator.on('data', (bytes) => {
      let isOver: Promise<void> | undefined
      if (awaited && bytes.includes(awaited.words)) {
        if (awaited.what === 'answer') answered = awaited
        else {
          isOver = awaited.isOver
          awaited.noteArrival()
        }
        awaited = undefined
      }
      toWorker.pass(bytes, delayMs, isOver)
    })
    worker.on('data', (bytes) => {
      answered?.noteArrival()
      toCoordinator.pass(bytes, delayMs, answered?.isOver)
      answered = undefined
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''

  return {
    url: Object.assign(new URL(workerUrl), { port }).href,
    get open() {
      return sockets.size / 2
    },
    delay(ms) {
      delayMs = ms
    },
    hold(words, what) {
      awaited = createHold(words, what)
      return awaited
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Passes bytes on in their order. */
function createLane(to: Socket) {
  let before = Promise.resolve()
  return {
    pass(bytes: Buffer, delayMs: number, isOver = Promise.resolve()): void {
      const due = performance.now() + delayMs
      before = before
        .then(() => isOver)
        .then(() => untilDue(due))
        .then(() => {
          if (!to.destroyed) to.write(bytes)
        })
    },
    end(): void {
      void before.then(() => to.end())
    },
  }
}

function untilDue(due: number): Promise<void> | undefined {
  const ms = due - performance.now()
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined
}

function createHold(words: string, what: Hold['what']): Hold {
  let noteArrival = (): void => {}
  let release = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    noteArrival = resolve
  })
  const isOver = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    words,
    what,
    arrived,
    isOver,
    noteArrival: () => noteArrival(),
    release: () => release(),
  }
}
