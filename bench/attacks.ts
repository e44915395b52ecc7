import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { sendInTurn, toRequest } from './connection.ts'
import type { Seeded } from './seed.ts'

/**
 * The attacker's means: the key of its own organization, and for some attacks more than a caller
 * has.
 */
export interface AttackTask {
  readonly attack: string
  readonly port: number
  /** A gateway process of the attacker, which it may stop. */
  readonly other: { readonly port: number; readonly pid: number; readonly applicationName: string }
  /** A gateway with a database server of its own, which shares only the machine. */
  readonly elsewhere: Seeded & { readonly port: number }
  readonly databaseUrl: string
  readonly apiKey: string
  /** A key that is bound to the first agent. */
  readonly agentKey: string
  readonly agentIds: readonly string[]
}

export interface Attack {
  readonly summary: string
  /** Creates the preconditions of the attack; they are not part of it. */
  prepare?(task: AttackTask): Promise<void>
  /** Resolves when the attack is running, with a function that ends it. */
  begin(task: AttackTask): Promise<() => Promise<void>>
}

const FLOOD_CONNECTIONS = 300
const SOME_CONNECTIONS = 16
const HOLDS = 1_500
const CHUNKING_CONNECTIONS = 4
const LISTING_CONNECTIONS = 4
const STOPS_MAX = 500
const SWEPT_WITHIN_MS = 120_000

export const ATTACKS: Readonly<Record<string, Attack>> = {
  flood: {
    summary: `${FLOOD_CONNECTIONS} evaluates in flight of one key`,
    begin: async (task) => flood(task.port, FLOOD_CONNECTIONS, spendsOf(task, task.agentIds)),
  },
  elsewhere: {
    summary: `the same flood of a gateway and a database that nobody else uses: what the machine makes of it`,
    begin: async ({ elsewhere }) =>
      flood(elsewhere.port, FLOOD_CONNECTIONS, spendsOf(elsewhere, elsewhere.agentIds)),
  },
  lock: {
    summary: `a row lock of its mandate, and ${SOME_CONNECTIONS} evaluates in flight on it`,
    async begin(task) {
      const db = await openDatabase(task)
      await db.query('begin')
      const lock = `select 1 from mandates where agent_id = $1 for update`
      await db.query(lock, [task.agentIds[0]])
      const end = flood(task.port, SOME_CONNECTIONS, spendsOf(task, task.agentIds.slice(0, 1)))
      return async () => {
        await db.query('rollback')
        await Promise.all([end(), db.end()])
      }
    },
  },
  stop: {
    summary: `a process stopped with locks, and ${SOME_CONNECTIONS} evaluates in flight on them`,
    async begin(task) {
      const spends = spendsOf(task, task.agentIds.slice(0, 1))
      const endThere = flood(task.other.port, SOME_CONNECTIONS, spends)
      await stopInMidBatch(task)
      const endHere = flood(task.port, SOME_CONNECTIONS, spends)
      return async () => {
        process.kill(task.other.pid, 'SIGCONT')
        await Promise.all([endThere(), endHere()])
      }
    },
  },
  holds: {
    summary: `${HOLDS} holds that are overdue at once`,
    async prepare(task) {
      let left = HOLDS
      const hold = { hold: { expiresIn: '1h' } }
      const [request] = spendsOf(task, task.agentIds.slice(0, 1), hold)
      const take = (): Buffer | undefined => (left-- > 0 ? request : undefined)
      const connections = Array.from({ length: SOME_CONNECTIONS }, () =>
        sendInTurn({ port: task.port, take, onAnswer: () => {} }),
      )
      await Promise.all(connections)
    },
    async begin(task) {
      const db = await openDatabase(task)
      await db.query(
        `update transactions set expires_at = now() - interval '1 s'
         where agent_id = $1 and status = 'held'`,
        [task.agentIds[0]],
      )
      return async () => {
        await untilSwept(db)
        await db.end()
      }
    },
  },
  chunks: {
    summary: `${CHUNKING_CONNECTIONS} unauthenticated bodies in chunks of one byte`,
    begin: async (task) => sendChunks(task.port),
  },
  lists: {
    summary: `${LISTING_CONNECTIONS} lists of wrong items in flight, with an agent's key`,
    async begin(task) {
      const [agentId] = task.agentIds
      const spend = { agentId, amount: 1, vendor: 'api.openai.com', category: 'llm' }
      const body = JSON.stringify({ ...spend, rules: Array(120_000).fill(0) })
      const request = toRequest('POST', '/api/v1/gateway/simulate', task.agentKey, body)
      return flood(task.port, LISTING_CONNECTIONS, [request])
    },
  },
}

function spendsOf(
  { apiKey }: Seeded,
  agentIds: readonly string[],
  more: object = {},
): readonly Buffer[] {
  return agentIds.map((agentId) => {
    const spend = { agentId, amount: 0.01, vendor: 'api.openai.com', category: 'llm', ...more }
    return toRequest('POST', '/api/v1/gateway/evaluate', apiKey, JSON.stringify(spend))
  })
}

/** Keeps this many requests in flight, whatever the answers, until the returned function is called. */
function flood(
  port: number,
  connections: number,
  requests: readonly Buffer[],
): () => Promise<void> {
  let isOver = false
  let next = 0
  const take = (): Buffer | undefined => (isOver ? undefined : requests[next++ % requests.length])
  const run = async (): Promise<void> => {
    while (!isOver) {
      // If the server refuses or closes, the flood continues, but not in a tight loop.
      await sendInTurn({ port, take, onAnswer: () => {} }).catch(() => wait(10))
    }
  }
  const ended = Promise.all(Array.from({ length: connections }, run))
  return async () => {
    isOver = true
    await ended
  }
}

async function openDatabase({ databaseUrl }: AttackTask): Promise<pg.Client> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  return db
}

/** A process is only rarely between the two round trips of a batch, so this takes several tries. */
async function stopInMidBatch(task: AttackTask): Promise<void> {
  const { pid, applicationName } = task.other
  const db = await openDatabase(task)
  const text = `select 1 from pg_stat_activity
                where application_name like $1 || '%' and state = 'idle in transaction'`
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    await wait(5)
    process.kill(pid, 'SIGSTOP')
    // Statements that it sent before are carried out first.
    await wait(25)
    const { rowCount } = await db.query(text, [applicationName])
    if (rowCount !== null && rowCount > 0) return db.end()
    process.kill(pid, 'SIGCONT')
  }
  throw new Error('The process was never stopped in the middle of a batch.')
}

async function untilSwept(db: pg.Client): Promise<void> {
  const text = `select 1 from transactions where status = 'held' and expires_at <= now() limit 1`
  const until = performance.now() + SWEPT_WITHIN_MS
  while ((await db.query(text)).rowCount !== 0) {
    if (performance.now() > until) throw new Error('Overdue holds are not given back.')
    await wait(50)
  }
}

const HEAD =
  'POST /api/v1/gateway/evaluate HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer nobody\r\n' +
  'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
const ONE_BYTE_CHUNKS = Buffer.from('1\r\na\r\n'.repeat(8_000))

function sendChunks(port: number): () => Promise<void> {
  const sockets = new Set<Socket>()
  let isOver = false
  const open = (): void => {
    if (isOver) return
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      setTimeout(open, 5)
    })
    const write = (): void => {
      while (!socket.destroyed && socket.write(ONE_BYTE_CHUNKS));
    }
    socket.on('connect', () => {
      socket.write(HEAD)
      write()
    })
    socket.on('drain', write)
    // Otherwise it would not notice that the server has closed the connection.
    socket.resume()
  }
  for (let n = 0; n < CHUNKING_CONNECTIONS; n += 1) open()
  return async () => {
    isOver = true
    for (const socket of sockets) socket.destroy()
  }
}
