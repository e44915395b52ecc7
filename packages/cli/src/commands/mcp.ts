import type { Command } from 'commander'
import { type CredentialOptions, findCredentials } from '../api/credentials.ts'
import { PROFILE_OPTION, URL_OPTION, withExample } from '../api/gateway-command.ts'
import { nodeFetch } from '../api/node-fetch.ts'
import { loadMcpServer } from '../packages.ts'

const NOTES = `
An MCP client starts this command and talks to it over stdin and stdout. It
offers the tools that the API key allows: a key that is bound to an agent can
spend, any other key can only read. Set PURSER_API_KEY and PURSER_BASE_URL in
the settings of the client, or name a profile of "purser login" there.
docs/mcp.md shows the settings of several clients.`

/** `purser mcp`: serves the tools for models to a client that starts it. */
export function mcp(command: Command): void {
  command
    .option(...URL_OPTION)
    .option(...PROFILE_OPTION)
    .addHelpText('after', NOTES)
    .action((options: CredentialOptions) => serve(options, command))
  withExample(command, 'purser mcp --profile research-bot')
}

async function serve(options: CredentialOptions, command: Command): Promise<void> {
  const { url, apiKey } = findCredentials(options, command)
  const { serveOverStdio } = await loadMcpServer()
  // The user named the address, so they decide whether the key may travel over plain http.
  const connection = { baseUrl: url, apiKey, allowHttp: true, fetch: nodeFetch } as const
  await serveOverStdio(connection, {
    version: command.parent?.version() ?? '0.0.0',
    input: process.stdin,
    output: process.stdout,
  })
}
