import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { type LeashedProcess, spawnOnLeash } from './leash.ts'

export interface PostgresServer {
  readonly url: string
  /** The parent of all processes of the server. */
  readonly pid: number
  /** Ends all its processes at once, as a crash does. The files stay. */
  crash(): Promise<void>
  /** Starts it again after a crash, on the same port. */
  startAgain(): Promise<void>
  /** Freezes all its processes in their current state, until `resume`. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

interface ServerPlace {
  readonly binFolder: string
  readonly folder: string
  readonly user: User | undefined
  readonly fsync: 'on' | 'off'
  readonly settings: readonly string[]
  readonly onLine: ((line: string) => void) | undefined
}

const run = promisify(execFile)

const DEBIAN_FOLDER = '/usr/lib/postgresql'
const PORT_ATTEMPTS_MAX = 3
/** The server's log says which session waited for which; the clients do not receive that. */
const DEADLOCK_LINES = 40
/** A crash of the machine ends the whole test as well, so nothing has to survive one. */
const NOT_DURABLE = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'checkpoint_timeout=1h',
  'max_wal_size=8GB',
]
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // There are several workers. Each has several apps, and each app has a pool.
  'max_connections=300',
]

/** The folder with `postgres` and `initdb`, or undefined if the machine has none. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...newestFirst.map((version) => join(DEBIAN_FOLDER, version, 'bin')),
  ]
  return folders.find((folder) =>
    ['postgres', 'initdb'].every((program) => existsSync(join(folder, program))),
  )
}

interface ServerSettings {
  readonly root?: string
  /** A folder that stays when the server stops, so that a later server can use its data. */
  readonly keptIn?: string | undefined
  /** Without it the data is lost if the machine crashes, and only then; it takes half the time. */
  readonly fsync?: 'on' | 'off'
  /** Further settings, such as `shared_buffers=32MB`. */
  readonly settings?: readonly string[]
  /** Called with each line of the server's log. */
  readonly onLine?: ((line: string) => void) | undefined
}

/**
 * Starts a private server on a free port of the loopback, in its own folder under `root` or in
 * `keptIn`.
 */
export async function startPostgresServer(
  binFolder: string,
  { root = tmpdir(), keptIn, fsync = 'on', settings = [], onLine }: ServerSettings = {},
): Promise<PostgresServer> {
  const folder = keptIn ?? (await mkdtemp(join(root, 'purser-postgres-')))
  const removeFolder = async () => {
    if (keptIn === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    const user = await findUnprivilegedUser()
    if (!existsSync(join(folder, 'PG_VERSION'))) await createData(binFolder, folder, user)
    const place = { binFolder, folder, user, fsync, settings, onLine }
    const { server: first, port } = await startOnFreePort(place)
    let server = first
    return {
      url: `postgres://purser@127.0.0.1:${port}/postgres`,
      get pid() {
        return pidOf(server)
      },
      crash: () => endServer(server, 'SIGQUIT'),
      startAgain: async () => {
        server = await startServer(place, port)
      },
      pause: () => signalAll(server, 'SIGSTOP'),
      resume: () => signalAll(server, 'SIGCONT'),
      stop: async () => {
        signalAll(server, 'SIGCONT')
        await endServer(server, 'SIGINT')
        await removeFolder()
      },
    }
  } catch (error) {
    await removeFolder()
    throw error
  }
}

async function createData(
  binFolder: string,
  folder: string,
  user: User | undefined,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  const files = ['-D', folder, '-U', 'purser', '-E', 'UTF8', '--locale=C', '--auth=trust']
  await run(join(binFolder, 'initdb'), [...files, '--no-sync'], { cwd: folder, ...user })
}

/** Postgres refuses to run as root. */
async function findUnprivilegedUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]).catch(
      () => undefined,
    )
    if (ids !== undefined) return { uid: Number(ids[0].stdout), gid: Number(ids[1].stdout) }
  }
  throw new Error('Run as root, the tests need a user named postgres or nobody for the server.')
}

/** The port is free when it is chosen, but may be taken by the time the server binds it. */
async function startOnFreePort(
  place: ServerPlace,
): Promise<{ server: LeashedProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort()
    try {
      return { server: await startServer(place, port), port }
    } catch (error) {
      if (attempt === PORT_ATTEMPTS_MAX) throw error
    }
  }
}

function startServer(
  { binFolder, folder, user, fsync, settings: further, onLine }: ServerPlace,
  port: number,
): Promise<LeashedProcess> {
  const durability = fsync === 'on' ? ['fsync=on'] : NOT_DURABLE
  const settings = [...SETTINGS, ...durability, ...further, `port=${port}`]
  const parameters = ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])]
  const program = join(binFolder, 'postgres')
  // A killed server would leave shared memory behind.
  const server = spawnOnLeash(program, parameters, { cwd: folder, lastSignal: 'QUIT', ...user })
  const lines: string[] = []
  let told = 0
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stderr }).on('line', (line) => {
      if (lines.length < 20) lines.push(line)
      onLine?.(line)
      if (line.includes('deadlock detected')) told = DEADLOCK_LINES
      if (told-- > 0) console.error(line)
      if (line.includes('ready to accept connections')) resolve(server)
    })
    server.once('error', reject)
    server.once('exit', (code) =>
      reject(new Error(`postgres ended with ${code}:\n${lines.join('\n')}`)),
    )
  })
}

/**
 * SIGINT is Postgres's fast shutdown: it ends the sessions and writes a checkpoint. SIGQUIT ends all
 * processes without one.
 */
async function endServer(server: LeashedProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await ended
}

/** The parent comes first: once it is stopped, it starts no further process. */
function signalAll(server: LeashedProcess, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (server.exitCode !== null) return
  server.kill(signal)
  for (const pid of childrenOf(pidOf(server))) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]))
}

function pidOf({ pid }: LeashedProcess): number {
  if (pid === undefined) throw new Error('PostgreSQL was not started.')
  return pid
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port)
        else reject(new Error('There is no free port on the loopback.'))
      })
    })
  })
}
