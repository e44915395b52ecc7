import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

export type Environment = 'development' | 'production'
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Config {
  readonly environment: Environment
  readonly http: { readonly host: string; readonly port: number }
  readonly storage: { readonly dataDir: string; readonly databaseUrl: string | undefined }
  readonly log: { readonly level: LogLevel }
  /** Which addresses that somebody else chose may be called, beside the public ones. */
  readonly outbound: {
    readonly allowLoopback: boolean
    readonly allowedNetworks: readonly string[]
  }
  /** The waits before a failed delivery is tried again, one for each retry. */
  readonly webhooks: { readonly retryDelaysMs: readonly number[] }
  /** On which chains x402 pays, and whom to ask about them. */
  readonly x402: { readonly networks: readonly X402Network[] }
  /** 32 bytes; undefined where the key is to be kept in the data folder. */
  readonly masterKey: Buffer | undefined
  /** The organization to create at the first start, when there is none. */
  readonly initOrganization: string | undefined
}

export interface X402Network {
  /** CAIP-2, such as eip155:8453. */
  readonly network: string
  readonly rpcUrl: string | undefined
  readonly finality: 'latest' | 'safe' | 'finalized' | number
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const ENVIRONMENTS = ['development', 'production'] as const
/** Settings that hold a secret, and can therefore also be given as the path of a file. */
const SECRETS = ['DATABASE_URL', 'PURSER_MASTER_KEY', 'PURSER_X402_NETWORKS'] as const

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
  const outbound = {
    allowLoopback: readLoopback(read('PURSER_ALLOW_LOOPBACK'), environment, mistakes),
    allowedNetworks: readNetworks(read('PURSER_ALLOW_NETWORKS'), mistakes),
  }
  const retryDelaysMs = readDelays(read('PURSER_WEBHOOK_RETRY_DELAYS'), mistakes)
  const networks = readX402Networks(
    read('PURSER_X402_NETWORKS'),
    read('PURSER_X402_FINALITY'),
    mistakes,
  )
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
    outbound: Object.freeze(outbound),
    webhooks: Object.freeze({ retryDelaysMs }),
    x402: Object.freeze({ networks }),
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

/** Receivers on this machine are for trying things out; in production they would be a way inside. */
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

function readNetworks(text: string | undefined, mistakes: string[]): readonly string[] {
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
  return networks
}

/** About 5 s, 30 s, 3 min and 18 min: each six times the one before. */
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

/** A node's URL may hold a key, so none is repeated. */
function readX402Networks(
  text: string | undefined,
  finalityText: string | undefined,
  mistakes: string[],
): readonly X402Network[] {
  const networks = entriesOf(text).flatMap((entry, index) => {
    const [, network, rpcUrl] = /^(eip155:[1-9]\d{0,17})(?:=(https?:\/\/\S+))?$/.exec(entry) ?? []
    if (network !== undefined && (rpcUrl === undefined || URL.canParse(rpcUrl))) {
      return [{ network, rpcUrl }]
    }
    mistakes.push(
      `PURSER_X402_NETWORKS, entry ${index + 1}: must be a network such as eip155:84532, alone or with the http(s) URL of a node: eip155:84532=https://node.example.com.`,
    )
    return []
  })
  const names = networks.map(({ network }) => network)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) mistakes.push(`PURSER_X402_NETWORKS names ${twice} twice.`)
  const finalities = readFinalities(finalityText, names, mistakes)
  return networks.map((network) => ({
    ...network,
    finality: toFinality(finalities.get(network.network) ?? finalities.get('') ?? 'safe'),
  }))
}

/** By network; the one without a network is for all others. */
function readFinalities(
  text: string | undefined,
  networks: readonly string[],
  mistakes: string[],
): ReadonlyMap<string, string> {
  const finalities = new Map<string, string>()
  entriesOf(text).forEach((entry, index) => {
    const where = `PURSER_X402_FINALITY, entry ${index + 1}`
    const form = /^(?:(eip155:[1-9]\d{0,17})=)?(latest|safe|finalized|[1-9]\d{0,3})$/.exec(entry)
    const [, network = '', finality] = form ?? []
    if (finality === undefined) {
      mistakes.push(
        `${where}: must be latest, safe, finalized or a number of blocks, for all networks or for one: eip155:84532=safe.`,
      )
    } else if (network !== '' && !networks.includes(network)) {
      mistakes.push(`${where}: names ${network}, which is not in PURSER_X402_NETWORKS.`)
    } else if (finalities.has(network)) {
      mistakes.push(`${where}: says for a second time what is final.`)
    } else finalities.set(network, finality)
  })
  return finalities
}

function entriesOf(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
}

function toFinality(text: string): X402Network['finality'] {
  if (text === 'latest' || text === 'safe' || text === 'finalized') return text
  return Number(text)
}

function readMasterKey(text: string | undefined, mistakes: string[]): Buffer | undefined {
  if (text === undefined) return undefined
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === 32) return key
  mistakes.push('PURSER_MASTER_KEY must be 32 bytes, as base64 or as 64 hexadecimal digits.')
  return undefined
}
