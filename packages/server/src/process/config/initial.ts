import { isReadableName } from '../../core/name.ts'
import { toEmail } from '../../core/people/member.ts'
import type { ReadVariable } from '../../paths/path.ts'
import { type MintedKey, parseApiKey } from '../../storage/secrets/api-key-secret.ts'
import { SETTINGS } from './settings.ts'
import { type Env, withSecretFiles } from './variables.ts'

/** The organization that the first start creates. */
export interface InitialSetup {
  readonly organization: string
  /** The first owner; undefined if a person becomes the owner with a set-up link. */
  readonly admin: { readonly email: string; readonly password: string } | undefined
  /** The first API key; undefined if the gateway generates it. */
  readonly apiKey: MintedKey | undefined
}

type Environment = 'development' | 'production'

const NAME_LENGTH_MAX = 120
const NAMES = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  'isInitial' in setting ? name : [],
)
/** In production a start creates no organization that the operator did not ask for. */
const FIRST_ORGANIZATION = {
  development: SETTINGS.PURSER_INIT_ORG.default,
  production: undefined,
}

/**
 * Reads the settings of the first start. Throws one error that lists every mistake, without values.
 * Returns undefined if a start creates no organization.
 */
export function readInitialSetup(env: Env, environment: Environment): InitialSetup | undefined {
  const found: string[] = []
  const { read, withFileMistakes } = withSecretFiles(env, NAMES)
  const admin = readAdmin(read, found)
  const apiKey = readFirstKey(read, environment, found)
  const organization = readName(read, environment, found)
  const others = NAMES.filter((name) => name !== 'PURSER_INIT_ORG' && read(name) !== undefined)
  if (organization === undefined && others.length > 0) {
    found.push(`${others.join(', ')} cannot be set without PURSER_INIT_ORG in production.`)
  }
  const mistakes = withFileMistakes(found)
  if (mistakes.length > 0) {
    const list = mistakes.map((mistake) => `  - ${mistake}`).join('\n')
    throw new Error(`The first organization cannot be created:\n${list}`)
  }
  return organization === undefined ? undefined : { organization, admin, apiKey }
}

function readName(
  read: ReadVariable,
  environment: Environment,
  mistakes: string[],
): string | undefined {
  const name = read('PURSER_INIT_ORG')?.trim() || FIRST_ORGANIZATION[environment]
  if (name !== undefined && name.length > NAME_LENGTH_MAX) {
    mistakes.push(`PURSER_INIT_ORG must be at most ${NAME_LENGTH_MAX} characters.`)
  }
  if (name !== undefined && !isReadableName(name)) {
    mistakes.push('PURSER_INIT_ORG contains invisible characters.')
  }
  return name
}

function readAdmin(read: ReadVariable, mistakes: string[]): InitialSetup['admin'] {
  const given = read('PURSER_INIT_ADMIN_EMAIL')
  const password = read('PURSER_INIT_ADMIN_PASSWORD')
  if (given === undefined && password === undefined) return undefined
  const email = given === undefined ? undefined : toEmail(given)
  if (given === undefined || password === undefined) {
    mistakes.push(
      'PURSER_INIT_ADMIN_EMAIL and PURSER_INIT_ADMIN_PASSWORD must be set together, or neither of them.',
    )
  } else if (email === undefined) {
    const { example } = SETTINGS.PURSER_INIT_ADMIN_EMAIL
    mistakes.push(`PURSER_INIT_ADMIN_EMAIL must be an e-mail address such as ${example}.`)
  }
  return email === undefined || password === undefined ? undefined : { email, password }
}

function readFirstKey(
  read: ReadVariable,
  environment: Environment,
  mistakes: string[],
): MintedKey | undefined {
  const token = read('PURSER_INIT_API_KEY')
  if (token === undefined) return undefined
  const key = parseApiKey(token)
  const isLive = environment === 'production'
  const begin = isLive ? 'psr_live_' : 'psr_test_'
  if (key && token.startsWith(begin)) return { token, ...key }
  const how = `npx purser keys generate${isLive ? ' --live' : ''}`
  mistakes.push(
    `PURSER_INIT_API_KEY must be an API key that begins with ${begin}, such as "${how}" prints.`,
  )
  return undefined
}
