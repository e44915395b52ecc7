import type { Command } from 'commander'
import { toGatewayUrl } from '../listen/target-url.ts'
import { DEFAULT_PROFILE, type Profile, readProfile } from './profiles.ts'

export const DEFAULT_GATEWAY = 'http://127.0.0.1:3000'

/** The options that choose the gateway and the key. */
export interface CredentialOptions {
  readonly url?: string
  readonly profile?: string
}

/** The URL of a gateway, and a key for it. */
export interface Credentials {
  readonly url: string
  readonly apiKey: string
}

/**
 * Finds the key and its gateway: a named profile, else the environment, else the default profile.
 * The key of a profile goes only to the gateway of the profile.
 */
export function findCredentials(options: CredentialOptions, command: Command): Credentials {
  const apiKey = process.env['PURSER_API_KEY']?.trim() ?? ''
  if (options.profile === undefined && apiKey !== '') {
    // The message repeats no key.
    if (/^[\x21-\x7e]+$/.test(apiKey)) return { url: gatewayUrl(options, command), apiKey }
    return command.error('error: PURSER_API_KEY contains a character that no API key has')
  }
  const name = options.profile ?? DEFAULT_PROFILE
  const profile = readProfile(name)
  if (profile !== undefined) return ofProfile(name, profile, options, command)
  if (options.profile === undefined) {
    return command.error('error: no API key: set PURSER_API_KEY, or run "purser login"')
  }
  return command.error(`error: there is no profile "${name}": run "purser login --profile ${name}"`)
}

function ofProfile(
  name: string,
  { baseUrl, apiKey }: Profile,
  options: CredentialOptions,
  command: Command,
): Credentials {
  const named = namedUrl(options, command)
  if (named === undefined || named === baseUrl) return { url: baseUrl, apiKey }
  return command.error(
    `error: the key of the profile "${name}" is for ${baseUrl}, not for ${named}: set PURSER_API_KEY, or choose another profile with --profile`,
  )
}

/** Returns the gateway of `--url` or of the environment, or the default. */
export function gatewayUrl(options: CredentialOptions, command: Command): string {
  return namedUrl(options, command) ?? DEFAULT_GATEWAY
}

function namedUrl({ url }: CredentialOptions, command: Command): string | undefined {
  const { PURSER_BASE_URL: base, PURSER_URL: older } = process.env
  // An empty value counts as unset, as it does for the gateway's own settings.
  const text = url || base || older
  if (!text) return undefined
  const place = url ? '--url' : base ? 'PURSER_BASE_URL' : 'PURSER_URL'
  const root = toGatewayUrl(text)
  if (root !== undefined) return root
  return command.error(`error: ${place} must be an http(s) URL such as ${DEFAULT_GATEWAY}`)
}
