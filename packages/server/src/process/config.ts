import { join, resolve } from 'node:path'
import { PACKAGE_FOLDER } from '../base/package-folder.ts'
import { mayBeInFile, type Setting } from '../base/setting.ts'
import type { SmtpSettings } from '../messages/mailer.ts'
import { PATHS } from '../paths/index.ts'
import {
  type ConfiguredPath,
  type PaymentPath,
  type ReadVariable,
  withSettings,
} from '../paths/path.ts'
import type { TraceSettings } from '../tracing/open-tracing.ts'
import {
  type MetricsAddress,
  readAddresses,
  readMetricsAddress,
  readTracing,
} from './config/addresses.ts'
import { type InitialSetup, readInitialSetup } from './config/initial.ts'
import { readLimits, readRetryDelays } from './config/limits.ts'
import { readMail } from './config/mail.ts'
import { readCommit, readOperations } from './config/operations.ts'
import { type MasterKeys, readDatabaseUrl, readMasterKeys } from './config/secrets.ts'
import { listSettings, SETTINGS } from './config/settings.ts'
import { type UnknownSetting, warnOfUnknown } from './config/unknown-names.ts'
import { type Env, readChoice, withSecretFiles } from './config/variables.ts'

export type Environment = 'development' | 'production'
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Config {
  readonly environment: Environment
  readonly http: {
    readonly host: string
    readonly port: number
    /** How long the process still answers requests after a signal to stop. */
    readonly drainMs: number
  }
  /** The public origin, such as https://gateway.example; undefined if it is not set. */
  readonly publicUrl: string | undefined
  /** The commit that the program was built from; undefined if it is not set. */
  readonly commit: string | undefined
  /** The folder of the built console; undefined if the gateway serves none. */
  readonly consoleFolder: string | undefined
  /** Networks of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  readonly storage: {
    readonly dataDir: string
    readonly databaseUrl: string | undefined
    /** The embedded database refuses writes while its disk has less free space. */
    readonly freeBytesMin: number
  }
  /** The file of signed heads outside the store; undefined if the gateway keeps none. */
  readonly headsFile: string | undefined
  readonly log: {
    readonly level: LogLevel
    /** Prose for a person at a terminal, instead of JSON. */
    readonly isProse: boolean
    /** One line for each decision. Logging a decision takes more CPU than making it. */
    readonly tellsDecisions: boolean
  }
  /** Where metrics are served; undefined if they are off. */
  readonly metrics: MetricsAddress | undefined
  /** Where traces are sent; undefined if they are off. */
  readonly tracing: TraceSettings | undefined
  /** Addresses that webhooks and vendor calls may reach besides the public ones. */
  readonly outbound: {
    readonly allowLoopback: boolean
    readonly allowedNetworks: readonly string[]
  }
  /** The delay before each retry of a failed delivery. */
  readonly webhooks: { readonly retryDelaysMs: readonly number[] }
  /** The SMTP server for messages to people; undefined if no mail is sent. */
  readonly smtp: SmtpSettings | undefined
  /** How many requests a caller may send at once, and per minute on the plan self_hosted. */
  readonly limits: {
    readonly inFlight: { readonly perOrganization: number; readonly perKey: number }
    /** Per key, on the plan self_hosted; null is unlimited. */
    readonly requestsPerMinute: number | null
    /** Spends that one database transaction decides at most; 256 if omitted. */
    readonly batchSizeMax?: number
  }
  /** The payment paths, each with its own settings. */
  readonly paths: readonly ConfiguredPath[]
  readonly masterKeys: MasterKeys
  /** Unknown PURSER_ variables, for a warning. They do not prevent a start. */
  readonly warnings: readonly UnknownSetting[]
  /** The files that secrets were read from. */
  readonly secretFiles: readonly string[]
  /**
   * Reads the organization to create if there is none; undefined if a person has to create it. Only
   * a start without an organization calls it, because the files of these settings may be gone later.
   */
  readonly readInitial: () => InitialSetup | undefined
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const ON_OFF = ['on', 'off'] as const
const ENVIRONMENTS = ['development', 'production'] as const

/** Inputs other than the environment. */
export interface Surroundings {
  readonly paths?: readonly PaymentPath[]
  /** A person reads the output of the process. */
  readonly isTerminal?: boolean
}

/** Numbers the mistakes if there are several, because a command prints them on one line. */
function listOf(mistakes: readonly string[]): string {
  if (mistakes.length === 1) return mistakes.join('')
  return mistakes.map((mistake, at) => `\n  (${at + 1}) ${mistake}`).join('')
}

/**
 * Reads and checks the whole environment, once. All mistakes are reported together. Each names the
 * variable and a valid value, and never repeats a value that may be a secret. A payment path reads
 * its own settings.
 */
export function readConfig(
  env: Env,
  { paths: known = PATHS, isTerminal = false }: Surroundings = {},
): Config {
  const mistakes: string[] = []
  const settings = new Map(listSettings(known).flatMap((group) => Object.entries(group.settings)))
  const namesOf = (isOne: (setting: Setting) => boolean | undefined): string[] =>
    [...settings].flatMap(([name, setting]) => (isOne(setting) ? name : []))
  const atEveryStart = namesOf(({ isSecret, isInitial }) => isSecret && !isInitial)
  const { read: readAny, withFileMistakes } = withSecretFiles(env, atEveryStart)
  const read: ReadVariable = (name) => {
    // An undeclared setting would be missing in docs/settings.md, and be warned about as unknown.
    if (!settings.has(name)) throw new Error(`The setting ${name} is not declared.`)
    return readAny(name)
  }

  const fallbacks = {
    environment: SETTINGS.PURSER_ENV.default,
    level: SETTINGS.PURSER_LOG_LEVEL.default,
    console: SETTINGS.PURSER_CONSOLE.default,
  }
  const environment = readChoice('PURSER_ENV', ENVIRONMENTS, fallbacks.environment, read, mistakes)
  const isProduction = environment === 'production'
  const level = readChoice('PURSER_LOG_LEVEL', LOG_LEVELS, fallbacks.level, read, mistakes)
  const console = readChoice('PURSER_CONSOLE', ON_OFF, fallbacks.console, read, mistakes)
  const databaseUrl = readDatabaseUrl(read, mistakes)
  const masterKeys = readMasterKeys(read, isProduction, mistakes)
  const addresses = readAddresses(read, isProduction, mistakes)
  const { host, port, publicUrl, trustedProxies, outbound } = addresses
  const metrics = readMetricsAddress(read, mistakes)
  const tracing = readTracing(read, mistakes)
  const retryDelaysMs = readRetryDelays(read, mistakes)
  const smtp = readMail(read, mistakes)
  const limits = readLimits(read, mistakes)
  const isWatched = !isProduction && isTerminal
  const { drainMs, freeBytesMin, tellsDecisions } = readOperations(read, isWatched, mistakes)
  const paths = known.map((path) => withSettings(path, path.settings?.read(read, mistakes)))
  const commit = readCommit(read, mistakes)
  const headsFile = read('PURSER_HEADS_FILE')
  const dataDir = resolve(read('PURSER_DATA_DIR') ?? SETTINGS.PURSER_DATA_DIR.default)
  const all = withFileMistakes(mistakes)
  if (all.length > 0) {
    throw new Error(`The configuration is not valid: ${listOf(all)}`)
  }

  return Object.freeze({
    environment,
    http: Object.freeze({ host, port, drainMs }),
    publicUrl,
    commit,
    consoleFolder: console === 'on' ? join(PACKAGE_FOLDER, 'console') : undefined,
    trustedProxies: Object.freeze(trustedProxies),
    storage: Object.freeze({ dataDir, databaseUrl, freeBytesMin }),
    headsFile: headsFile === undefined ? undefined : resolve(headsFile),
    log: Object.freeze({ level, isProse: isTerminal, tellsDecisions }),
    metrics: metrics && Object.freeze(metrics),
    tracing: tracing && Object.freeze(tracing),
    outbound: Object.freeze(outbound),
    webhooks: Object.freeze({ retryDelaysMs }),
    smtp: smtp && Object.freeze(smtp),
    limits: Object.freeze(limits),
    paths: Object.freeze(paths),
    masterKeys: Object.freeze(masterKeys),
    warnings: Object.freeze(
      warnOfUnknown(
        env,
        new Set([...settings.keys(), ...namesOf(mayBeInFile).map((name) => `${name}_FILE`)]),
      ),
    ),
    secretFiles: Object.freeze(
      namesOf(({ isSecret }) => isSecret).flatMap((name) => env[`${name}_FILE`] || []),
    ),
    readInitial: () => readInitialSetup(env, environment),
  })
}
