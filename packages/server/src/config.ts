import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readOperations } from './config/operations.ts'
import { explainServiceLink, warnOfUnknown } from './config/unknown-names.ts'
import { forbiddenIn } from './outbound/addresses.ts'
import { PATHS } from './paths/index.ts'
import {
  type ConfiguredPath,
  type PaymentPath,
  type ReadVariable,
  withSettings,
} from './paths/path.ts'

export type Environment = 'development' | 'production'
export type LogLevel = (typeof LOG_LEVELS)[number]

/** How many requests may be in flight unless the environment says otherwise. */
export const IN_FLIGHT_MAX = { perOrganization: 1_024, perKey: 512 }

export interface Config {
  readonly environment: Environment
  readonly http: {
    readonly host: string
    readonly port: number
    /** For how long requests are answered after the process was asked to stop. */
    readonly drainMs: number
  }
  readonly storage: {
    readonly dataDir: string
    readonly databaseUrl: string | undefined
    /** The embedded database takes nothing new while its disk has less than this. */
    readonly freeBytesMin: number
  }
  readonly log: {
    readonly level: LogLevel
    /** Whether it is written for a person at a terminal, instead of as JSON. */
    readonly isProse: boolean
    /** Whether it has a line for each decision, which costs more than the judging. */
    readonly tellsDecisions: boolean
  }
  /** Which addresses chosen by somebody else may be called, besides the public ones. */
  readonly outbound: {
    readonly allowLoopback: boolean
    readonly allowedNetworks: readonly string[]
  }
  /** The waits before a failed delivery is tried again, one for each retry. */
  readonly webhooks: { readonly retryDelaysMs: readonly number[] }
  /** What one caller may ask for at once, and in a minute where the plan says nothing. */
  readonly limits: {
    readonly inFlight: { readonly perOrganization: number; readonly perKey: number }
    /** Per key, on the plan self_hosted; null is unlimited. */
    readonly requestsPerMinute: number | null
  }
  /** The payment paths, each with its own settings. */
  readonly paths: readonly ConfiguredPath[]
  /** 32 bytes each; undefined if the key is kept in the data folder. */
  readonly masterKeys: {
    readonly given: Buffer | undefined
    /** The key before, while the master key is changed. */
    readonly previous: Buffer | undefined
  }
  /** What the operator should know, and does not keep the process from starting. */
  readonly warnings: readonly string[]
  /** The files that secrets were read from. */
  readonly secretFiles: readonly string[]
  /** The organization to create if there is none; undefined if a person has to create it. */
  readonly initOrganization: string | undefined
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const ENVIRONMENTS = ['development', 'production'] as const
/** In production nobody gets a key that was not asked for. */
const FIRST_ORGANIZATION = { development: 'My organization', production: undefined }
/** Settings that hold a secret, and can therefore also be given as the path of a file. */
const SECRETS = ['DATABASE_URL', 'PURSER_MASTER_KEY', 'PURSER_MASTER_KEY_PREVIOUS']

/** What decides besides the environment. */
interface Surroundings {
  readonly paths?: readonly PaymentPath[]
  /** Whether a person reads what the process writes. */
  readonly isTerminal?: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads and checks the whole environment, once. All mistakes are reported together. Each names the
 * variable and what it should hold; a value that may be a secret is never repeated. A payment path
 * reads the settings that only it knows.
 */
export function readConfig(
  env: Env,
  { paths: known = PATHS, isTerminal = false }: Surroundings = {},
): Config {
  const mistakes: string[] = []
  const secrets = [...SECRETS, ...known.flatMap(({ settings }) => settings?.secrets ?? [])]
  const asked = new Set(secrets.flatMap((name) => [name, `${name}_FILE`]))
  const readAny = withSecretFiles(env, secrets, mistakes)
  const read: ReadVariable = (name) => {
    asked.add(name)
    return readAny(name)
  }

  const environment = oneOf('PURSER_ENV', ENVIRONMENTS, 'development')
  const level = oneOf('PURSER_LOG_LEVEL', LOG_LEVELS, 'info')
  const port = readPort(read('PURSER_PORT'), mistakes)
  const databaseUrl = readDatabaseUrl(read('DATABASE_URL'), mistakes)
  const masterKeys = readMasterKeys(read, mistakes)
  const outbound = {
    allowLoopback: readLoopback(read('PURSER_ALLOW_LOOPBACK'), environment, mistakes),
    allowedNetworks: readNetworks(read('PURSER_ALLOW_NETWORKS'), environment, mistakes),
  }
  const retryDelaysMs = readDelays(read('PURSER_WEBHOOK_RETRY_DELAYS'), mistakes)
  const limits = {
    inFlight: {
      perOrganization:
        readCount('PURSER_IN_FLIGHT_PER_ORG', read, mistakes) ?? IN_FLIGHT_MAX.perOrganization,
      perKey: readCount('PURSER_IN_FLIGHT_PER_KEY', read, mistakes) ?? IN_FLIGHT_MAX.perKey,
    },
    requestsPerMinute: readCount('PURSER_REQUESTS_PER_MINUTE', read, mistakes) ?? null,
  }
  const { drainMs, freeBytesMin, tellsDecisions } = readOperations(
    read,
    environment === 'development' && isTerminal,
    mistakes,
  )
  const paths = known.map((path) => withSettings(path, path.settings?.read(read, mistakes)))
  const initOrganization = read('PURSER_INIT_ORG')?.trim() || FIRST_ORGANIZATION[environment]
  if (initOrganization !== undefined && initOrganization.length > 120) {
    mistakes.push('PURSER_INIT_ORG must be at most 120 characters.')
  }
  if (environment === 'production' && read('PURSER_MASTER_KEY') === undefined) {
    mistakes.push(
      'PURSER_MASTER_KEY (or PURSER_MASTER_KEY_FILE) is required when PURSER_ENV is production: 32 random bytes, made for example with "openssl rand -base64 32".',
    )
  }
  if (mistakes.length > 0) {
    throw new Error(
      `The configuration is not valid:\n${mistakes.map((m) => `  - ${m}`).join('\n')}`,
    )
  }

  const dataDir = resolve(read('PURSER_DATA_DIR') ?? '.purser')
  const host = read('PURSER_HOST') ?? '127.0.0.1'
  return Object.freeze({
    environment,
    http: Object.freeze({ host, port, drainMs }),
    storage: Object.freeze({ dataDir, databaseUrl, freeBytesMin }),
    log: Object.freeze({ level, isProse: isTerminal, tellsDecisions }),
    outbound: Object.freeze(outbound),
    webhooks: Object.freeze({ retryDelaysMs }),
    limits: Object.freeze(limits),
    paths: Object.freeze(paths),
    masterKeys: Object.freeze(masterKeys),
    // Every setting was asked for by now, so what nobody asked for is none.
    warnings: Object.freeze(warnOfUnknown(env, asked)),
    secretFiles: Object.freeze(secrets.flatMap((name) => env[`${name}_FILE`] || [])),
    initOrganization,
  })

  function oneOf<const Choice extends string>(
    name: string,
    choices: readonly Choice[],
    fallback: Choice,
  ): Choice {
    const value = read(name) ?? fallback
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined) mistakes.push(`${name} must be one of ${choices.join(', ')}.`)
    return choice ?? fallback
  }
}

/** An empty value counts as unset, as it does in compose files and shells. */
function withSecretFiles(env: Env, secrets: readonly string[], mistakes: string[]): ReadVariable {
  const fromFiles = new Map<string, string>()
  for (const name of secrets) {
    const path = env[`${name}_FILE`]
    if (!path) continue
    if (env[name]) {
      mistakes.push(`${name} and ${name}_FILE are both set; keep one of them.`)
      continue
    }
    try {
      fromFiles.set(name, readFileSync(path, 'utf8').trim())
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      mistakes.push(`${name}_FILE names a file that cannot be read (${reason}).`)
    }
  }
  return (name) => fromFiles.get(name) ?? (env[name] || undefined)
}

function readPort(text: string | undefined, mistakes: string[]): number {
  if (text === undefined) return 3000
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  // Port 0 asks the system for a free port, which tests and supervisors use.
  if (port >= 0 && port <= 65_535) return port
  mistakes.push(explainServiceLink(text) ?? 'PURSER_PORT must be a port number from 0 to 65535.')
  return 3000
}

function readDatabaseUrl(text: string | undefined, mistakes: string[]): string | undefined {
  if (text === undefined || /^postgres(ql)?:\/\/[^\s]+$/.test(text)) return text
  mistakes.push('DATABASE_URL must look like postgres://user:password@host:5432/database.')
  return undefined
}

/**
 * Receivers on this machine are for trying things out. In production they would open a way inside.
 */
function readLoopback(
  text: string | undefined,
  environment: Environment,
  mistakes: string[],
): boolean {
  if (text !== undefined && text !== 'true' && text !== 'false') {
    mistakes.push('PURSER_ALLOW_LOOPBACK must be true or false.')
  }
  if (text === 'true' && environment === 'production') {
    mistakes.push('PURSER_ALLOW_LOOPBACK cannot be true when PURSER_ENV is production.')
  }
  return environment !== 'production' && text !== 'false'
}

function readNetworks(
  text: string | undefined,
  environment: Environment,
  mistakes: string[],
): readonly string[] {
  const networks = (text ?? '').split(/[\s,]+/).filter((network) => network !== '')
  const isNetwork = (network: string): boolean => {
    const [address = '', prefix = ''] = network.split('/')
    const bits = isIP(address) === 6 ? 128 : 32
    return isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
  }
  if (!networks.every(isNetwork)) {
    mistakes.push('PURSER_ALLOW_NETWORKS must be a list such as 10.20.0.0/16, fd00:12::/32.')
    return []
  }
  const isProduction = environment === 'production'
  for (const network of isProduction ? networks : []) {
    const forbidden = forbiddenIn(network)
    if (forbidden === undefined) continue
    mistakes.push(
      `PURSER_ALLOW_NETWORKS names ${network}, which would open ${forbidden}: this machine or the metadata service of a cloud. When PURSER_ENV is production, name only the networks in which your receivers are.`,
    )
  }
  return networks
}

/** About 5 s, 30 s, 3 min and 18 min: each delay is six times the one before. */
const RETRY_DELAYS_MS = [5_000, 30_000, 180_000, 1_080_000]

function readDelays(text: string | undefined, mistakes: string[]): readonly number[] {
  if (text === undefined) return RETRY_DELAYS_MS
  const delays = text
    .split(/[\s,]+/)
    .map((delay) => /^(\d{1,6})(ms|s|m|h)$/.exec(delay))
    .map((match) => Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN))
  if (delays.length > 20 || delays.some(Number.isNaN)) {
    mistakes.push('PURSER_WEBHOOK_RETRY_DELAYS must be a list such as 5s, 30s, 3m, 18m.')
    return RETRY_DELAYS_MS
  }
  return delays
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

function readCount(name: string, read: ReadVariable, mistakes: string[]): number | undefined {
  const text = read(name)
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  mistakes.push(`${name} must be a number from 1 to 9999999.`)
  return undefined
}

function readMasterKeys(read: ReadVariable, mistakes: string[]): Config['masterKeys'] {
  const given = readMasterKey('PURSER_MASTER_KEY', read, mistakes)
  const previous = readMasterKey('PURSER_MASTER_KEY_PREVIOUS', read, mistakes)
  if (previous !== undefined && read('PURSER_MASTER_KEY') === undefined) {
    mistakes.push(
      'PURSER_MASTER_KEY_PREVIOUS is the key before: give the one that follows in PURSER_MASTER_KEY.',
    )
  }
  return { given, previous }
}

function readMasterKey(name: string, read: ReadVariable, mistakes: string[]): Buffer | undefined {
  const text = read(name)
  if (text === undefined) return undefined
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === 32) return key
  mistakes.push(`${name} must be 32 bytes, as base64 or as 64 hexadecimal digits.`)
  return undefined
}
