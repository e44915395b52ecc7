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
  /** Keeps bytes of one transaction, and what follows on that connection. */
  hold(wanted: Wanted): Held
  close(): Promise<void>
}

/** The bytes that a link keeps. */
interface Wanted {
  /** Part of an earlier command of the same transaction. Other transactions pass. */
  readonly mark: string
  /** Part of the command. */
  readonly words: string
  /** Whether the command is kept, or only the answer to it. */
  readonly what: 'command' | 'answer'
}

interface Hold extends Held, Wanted {
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
    /** What the coordinator has sent since the last transaction began. */
    let transaction = ''
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
      transaction = sinceBegin(transaction + bytes.toString('latin1'))
      if (awaited && transaction.includes(awaited.mark) && bytes.includes(awaited.words)) {
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
    hold(wanted) {
      awaited = createHold(wanted)
      return awaited
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Citus begins a transaction on a worker with these words, and ends it on the same connection. */
const BEGIN = 'BEGIN TRANSACTION'
/** Longer than what a transaction of these tests sends. */
const KEPT_MAX = 200_000

function sinceBegin(sent: string): string {
  const begin = sent.lastIndexOf(BEGIN)
  return (begin < 0 ? sent : sent.slice(begin)).slice(-KEPT_MAX)
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

function createHold(wanted: Wanted): Hold {
  let noteArrival = (): void => {}
  let release = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    noteArrival = resolve
  })
  const isOver = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    ...wanted,
    arrived,
    isOver,
    noteArrival: () => noteArrival(),
    release: () => release(),
  }
}
