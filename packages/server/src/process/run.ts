import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../base/log/create-log.ts'
import { logEvent } from '../base/log/log-event.ts'
import { type Config, readConfig } from './config.ts'
import { type RunningServer, startServer } from './server.ts'
import { findNextStep, toFacts, toSentence, toWelcome, type Welcome } from './welcome.ts'
import { isWorker, requirePostgres, startWorkers } from './workers/primary.ts'
import { runWorker } from './workers/worker.ts'

const END_WITHIN_MS = 5_000
const ECHO_MS = 500

interface RunOptions {
  /** How many processes serve. Undefined: this process serves alone. */
  readonly workers?: number | undefined
}

/** The process: reads the configuration, starts, and stops in order on a signal. */
export async function runGateway(
  env: Readonly<Record<string, string | undefined>>,
  { workers }: RunOptions = {},
): Promise<void> {
  const config = readConfig(env, { isTerminal: process.stdout.isTTY === true })
  if (workers !== undefined && isWorker()) return runWorker(config)
  const tell = createTell(config)
  if (workers !== undefined) {
    requirePostgres(config)
    tell.starting()
    const { log } = createLog(config.log)
    const primary = await startWorkers(config, workers, log)
    onFirstSignal(() => primary.drain().catch(failed))
    tell.started({ ...primary, isDevelopment: config.environment === 'development' })
    return
  }
  tell.starting()
  if (createsDatabase(config)) tell.creating()
  const gateway = await startServer(config)
  // Registered before the gateway reports that it listens, because a supervisor may send a signal
  // at once.
  onFirstSignal(() => gateway.drain().catch(failed))
  gateway.died?.then(() => endAfterDeath(gateway)).catch(failed)
  const isDevelopment = config.environment === 'development'
  tell.started({ ...gateway, isDevelopment })
}

interface Tell {
  starting(): void
  creating(): void
  started(welcome: Welcome): void
}

/**
 * A person at a terminal reads text. Elsewhere a program reads each line as one JSON object, so
 * every sentence is a log line, whatever the log level: the program that starts the gateway waits
 * for it.
 */
function createTell({ log: settings }: Pick<Config, 'log'>): Tell {
  if (settings.isProse) {
    const write = (text: string): void => void process.stdout.write(`${text}\n`)
    return {
      starting: () => write(toSentence({ event: 'process.starting', fields: {} })),
      creating: () => write(toSentence({ event: 'process.database_creating', fields: {} })),
      started: (welcome) => write(toWelcome(welcome, readSetupToken(welcome))),
    }
  }
  const { log } = createLog({ ...settings, level: 'info' })
  return {
    starting: () => logEvent(log, 'process.starting'),
    creating: () => logEvent(log, 'process.database_creating'),
    started: (welcome) => {
      const next = findNextStep(welcome)
      for (const { event, fields } of [...toFacts(welcome), ...(next ? [next] : [])]) {
        logEvent(log, event, fields)
      }
    },
  }
}

/** Whether this start makes the embedded database. */
function createsDatabase({ storage }: Pick<Config, 'storage'>): boolean {
  return storage.databaseUrl === undefined && !existsSync(join(storage.dataDir, 'db'))
}

/** Undefined if there is nothing to set up, or the file was removed meanwhile. */
function readSetupToken({ setupFile }: Welcome): string | undefined {
  if (setupFile === undefined) return undefined
  try {
    return readFileSync(setupFile, 'utf8').trim()
  } catch {
    return undefined
  }
}

/**
 * A second signal, of either kind, gets Node's own handling and ends the process at once. The same
 * signal right after the first is an echo: a terminal sends it to all of its processes, and npm
 * forwards its own.
 */
function onFirstSignal(stop: () => void): void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  function first(signal: NodeJS.Signals): void {
    for (const each of signals) process.off(each, first)
    const ignoreEcho = (): void => {}
    process.on(signal, ignoreEcho)
    setTimeout(() => process.off(signal, ignoreEcho), ECHO_MS).unref()
    stop()
  }
  for (const signal of signals) process.on(signal, first)
}

/**
 * A supervisor restarts the process, so it must end, even if something still waits for the dead
 * database.
 */
async function endAfterDeath(gateway: RunningServer): Promise<void> {
  process.exitCode = 1
  setTimeout(() => process.exit(), END_WITHIN_MS).unref()
  await gateway.stop()
}

/** Prints one sentence without a stack if the gateway cannot start or stop. */
export function failed(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
