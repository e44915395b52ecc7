import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { STATISTICS_SETTING } from '../statistics.ts'
import { DurableFiles, type EngineWatch } from './durable-files.ts'
import type { ProtocolEngine } from './socket.ts'

/** Creates the engine's file system. Only tests pass a different one, to prove that it is refused. */
export type CreateFiles = (folder: string, watch: EngineWatch) => DurableFiles

export interface EmbeddedEngine extends ProtocolEngine {
  /** How many files have been synced to disk since the start. */
  syncCount(): number
  isDead(): boolean
  /** Runs one statement without the driver, for work that comes before there is a driver. */
  run(sql: string): void
  stop(): Promise<void>
}

interface EngineSettings {
  readonly folder: string
  readonly createFiles?: CreateFiles
  readonly onDeath: (reason: Error) => void
}

/**
 * By itself, PGlite has neither a checkpointer nor a limit on the log. With these bounds a
 * checkpoint returns old log files; `maintenance.ts` calls it.
 */
const SIZE_PARAMETERS = ['min_wal_size=32MB', 'max_wal_size=64MB', 'wal_recycle=on']

const SYNC_PARAMETERS = [
  'fsync=on',
  // PGlite's fdatasync, which is the default method, does nothing.
  'wal_sync_method=fsync',
  'synchronous_commit=on',
  'full_page_writes=on',
]

/** The whole process waits while the engine analyzes a table. */
const PLANNER_PARAMETERS = [STATISTICS_SETTING]

/** The caller sees errors; the engine's own log would repeat them with the statement's text. */
const LOG_PARAMETERS = ['log_min_messages=fatal']

/**
 * At each start PGlite reads the types of arrays, for queries over an interface of its own that we do
 * not use: the driver knows the types by itself. It takes 0.4 s of CPU.
 */
class QuickPGlite extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

/**
 * V8 optimizes a function of the engine once this much of it has run: about a hundred times its own
 * setting. With that, it optimizes a thousand functions that only a start needs, for 0.8 s of CPU.
 */
const TIERING_BUDGET = 200_000_000

/**
 * Starts Postgres inside this process on the folder, and creates the folder if it does not exist.
 */
export async function startEngine(settings: EngineSettings): Promise<EmbeddedEngine> {
  let syncs = 0
  let death: Error | undefined
  const watch: EngineWatch = {
    onSync: () => {
      syncs += 1
    },
    onDeath: (reason) => {
      if (death !== undefined) return
      death = reason
      settings.onDeath(reason)
    },
  }
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  const createFiles = settings.createFiles ?? ((folder, files) => new DurableFiles(folder, files))
  const pglite = new QuickPGlite({
    fs: createFiles(settings.folder, watch),
    startParams: toDurableParameters(PGlite.defaultStartParams),
  })
  await pglite.waitReady
  const refuseDead = (): void => {
    if (death === undefined) return
    throw Object.assign(new Error('The embedded database has stopped.', { cause: death }), {
      code: 'ECONNRESET',
    })
  }
  const exchange: ProtocolEngine['exchange'] = (messages, onAnswer) => {
    refuseDead()
    // The streaming call finishes before it returns its promise. The plain call would also keep all
    // its answers in memory. The bytes are copied, because they are the engine's own memory.
    const onRawData = (bytes: Uint8Array): void => onAnswer(bytes.slice())
    pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData }).catch(watch.onDeath)
    refuseDead()
  }
  return {
    exchange,
    reset: () => resetSession(exchange, () => pglite.isInTransaction()),
    syncCount: () => syncs,
    isDead: () => death !== undefined,
    run: (sql) => runStatement(exchange, sql),
    // Shutting down a dead engine would write a checkpoint of data that it cannot vouch for.
    stop: async () => {
      if (death === undefined) await pglite.close()
    },
  }
}

/** PGlite's own parameters, with syncing to disk turned on where they turn it off. */
export function toDurableParameters(defaults: readonly string[]): string[] {
  if (!defaults.includes('-F')) {
    throw new Error(
      'The embedded database cannot be made durable: this version of PGlite does not start with ' +
        'the parameters this program knows. Install the version named in package.json.',
    )
  }
  const own = [...SYNC_PARAMETERS, ...SIZE_PARAMETERS, ...PLANNER_PARAMETERS, ...LOG_PARAMETERS]
  return [...defaults.filter((parameter) => parameter !== '-F'), ...own.flatMap((it) => ['-c', it])]
}

/**
 * A server ends the session together with its connection. Here the session outlives the connection,
 * so we clean it up.
 */
function resetSession(exchange: ProtocolEngine['exchange'], isInTransaction: () => boolean): void {
  const ignoreAnswer = (): void => {}
  exchange(toMessage('S', ''), ignoreAnswer)
  if (isInTransaction()) exchange(toMessage('Q', 'rollback\0'), ignoreAnswer)
  exchange(toMessage('Q', 'discard all\0'), ignoreAnswer)
}

function runStatement(exchange: ProtocolEngine['exchange'], sql: string): void {
  const answers: Buffer[] = []
  exchange(toMessage('Q', `${sql}\0`), (bytes) => answers.push(Buffer.from(bytes)))
  // Every message starts with its kind. E is an error, and comes first if the statement fails.
  const answer = Buffer.concat(answers)
  if (answer[0] === ERROR) throw new Error(`The embedded database refused: ${sql}`)
}

const ERROR = 0x45

function toMessage(kind: 'Q' | 'S', body: string): Buffer {
  const message = Buffer.alloc(5 + Buffer.byteLength(body))
  message.write(kind, 0)
  message.writeInt32BE(message.length - 1, 1)
  message.write(body, 5)
  return message
}
