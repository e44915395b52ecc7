import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export type Environment = 'development' | 'production'
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Config {
  readonly environment: Environment
  readonly http: { readonly host: string; readonly port: number }
  readonly storage: { readonly dataDir: string; readonly databaseUrl: string | undefined }
  readonly log: { readonly level: LogLevel }
  /** 32 bytes; undefined where the key is to be kept in the data folder. */
  readonly masterKey: Buffer | undefined
  /** The organization to create at the first start, when there is none. */
  readonly initOrganization: string | undefined
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const ENVIRONMENTS = ['development', 'production'] as const
/** Settings that hold a secret, and can therefore also be given as the path of a file. */
const SECRETS = ['DATABASE_URL', 'PURSER_MASTER_KEY'] as const

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads and checks the whole environment, once. All mistakes are reported together, each naming the
 * variable and what it should hold; a value is never repeated where it may be a secret.
 */
export function readConfig(env: Env): Config {
  const mistakes: string[] = []
  const read = withSecretFiles(env, mistakes)

  const environment = oneOf('PURSER_ENV', ENVIRONMENTS, 'development')
  const level = oneOf('PURSER_LOG_LEVEL', LOG_LEVELS, 'info')
  const port = readPort(read('PURSER_PORT'), mistakes)
  const databaseUrl = readDatabaseUrl(read('DATABASE_URL'), mistakes)
  const masterKey = readMasterKey(read('PURSER_MASTER_KEY'), mistakes)
  const initOrganization = read('PURSER_INIT_ORG')?.trim() || undefined
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

  return Object.freeze({
    environment,
    http: Object.freeze({ host: read('PURSER_HOST') ?? '127.0.0.1', port }),
    storage: Object.freeze({ dataDir: resolve(read('PURSER_DATA_DIR') ?? '.purser'), databaseUrl }),
    log: Object.freeze({ level }),
    masterKey,
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
function withSecretFiles(env: Env, mistakes: string[]): (name: string) => string | undefined {
  const fromFiles = new Map<string, string>()
  for (const name of SECRETS) {
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
  // Port 0 asks the system for a free one, which tests and supervisors use.
  if (port >= 0 && port <= 65_535) return port
  mistakes.push('PURSER_PORT must be a port number from 0 to 65535.')
  return 3000
}

function readDatabaseUrl(text: string | undefined, mistakes: string[]): string | undefined {
  if (text === undefined || /^postgres(ql)?:\/\/[^\s]+$/.test(text)) return text
  mistakes.push('DATABASE_URL must look like postgres://user:password@host:5432/database.')
  return undefined
}

function readMasterKey(text: string | undefined, mistakes: string[]): Buffer | undefined {
  if (text === undefined) return undefined
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === 32) return key
  mistakes.push('PURSER_MASTER_KEY must be 32 bytes, as base64 or as 64 hexadecimal digits.')
  return undefined
}
