import type { Organization } from '@purser/sdk'
import type { Command } from 'commander'
import { type CredentialOptions, type Credentials, gatewayUrl } from '../api/credentials.ts'
import { endWith, URL_OPTION, withExample } from '../api/gateway-command.ts'
import { DEFAULT_PROFILE, isProfileName, removeProfile, storeProfile } from '../api/profiles.ts'
import { printJson, tell } from '../output/print.ts'

interface LoginOptions extends Required<CredentialOptions> {
  readonly json?: true
}

const NOTES = `
Asks for the API key without showing it, or reads it from standard input. It
never takes a key as an argument, because the history of the shell would keep
it. The file is profiles.json in $XDG_CONFIG_HOME/purser or ~/.config/purser,
and only you can read it. PURSER_API_KEY goes before the profile "default".`

/** `purser login`: stores a key, after the gateway has accepted it. */
export function login(command: Command): void {
  command
    .option(...URL_OPTION)
    .option('--profile <name>', 'name of the profile', DEFAULT_PROFILE)
    .option('--json', 'print only JSON: {"profile": …, "baseUrl": …, "organization": …}')
    .addHelpText('after', NOTES)
    .action((options: LoginOptions) => run(options, command))
  withExample(command, 'purser login --profile staging --url https://purser.example.com < key.txt')
}

/** `purser logout`: removes a profile. The key stays valid until it is revoked. */
export function logout(command: Command): void {
  command
    .option('--profile <name>', 'name of the profile', DEFAULT_PROFILE)
    .option('--json', 'print only JSON: {"profile": …}')
    .action(({ profile, json }: LoginOptions) => {
      if (!removeProfile(profile)) throw new Error(`There is no profile "${profile}".`)
      if (json) printJson({ profile })
      else tell(`Removed the profile "${profile}". Its key stays valid until you revoke it.`)
    })
  withExample(command, 'purser logout --profile staging')
}

async function run(options: LoginOptions, command: Command): Promise<void> {
  const { profile } = options
  if (!isProfileName(profile)) {
    command.error(
      'error: --profile must have letters, digits, dots, dashes or underscores, such as staging',
    )
  }
  const url = gatewayUrl(options, command)
  if (!/^(https:|http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$))/.test(url)) {
    tell(
      `Warning: the key travels in clear to ${url}. Use https, except in a network that you trust.`,
    )
  }
  const { readSecret } = await import('../api/read-secret.ts')
  const apiKey = await readSecret(`API key for ${url}: `)
  // The message repeats no key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    command.error('error: no API key: type it, or send it to standard input, such as psr_test_…')
  }
  const organization = await check({ url, apiKey }, command)
  const file = storeProfile(profile, { baseUrl: url, apiKey })
  if (options.json) return printJson({ profile, baseUrl: url, organization })
  const whose = organization === null ? 'The key' : `The key of ${organization.name}`
  tell(`${whose} for ${url} is stored as the profile "${profile}" in ${file}.`)
}

/** Returns the organization; null if the key may not read it. Fails if the key is wrong. */
async function check(credentials: Credentials, command: Command): Promise<Organization | null> {
  const { createClient } = await import('../api/create-client.ts')
  const { PermissionError } = await import('@purser/sdk')
  try {
    return await createClient(credentials).organization.get()
  } catch (error) {
    if (error instanceof PermissionError) return null
    return endWith(error, credentials.url, command)
  }
}
