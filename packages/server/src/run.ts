import { readConfig } from './config.ts'
import { type RunningServer, startServer } from './server.ts'

/** The process: read the configuration, start, stop in order on a signal. */
export async function runGateway(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const gateway = await startServer(readConfig(env))
  process.stdout.write(`${welcome(gateway)}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Once: a second signal finds Node's own handling again and ends the process at once.
    process.once(signal, () => {
      gateway.stop().catch(failed)
    })
  }
}

/** What a person sees when the gateway cannot start or stop: one sentence, no stack. */
export function failed(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function welcome({ url, firstKeyFile, hasOrganization }: RunningServer): string {
  const lines = [
    `Purser listens on ${url}  (API at ${url}/api/v1, its document at ${url}/openapi.json)`,
  ]
  if (firstKeyFile !== undefined) {
    lines.push(`The first organization was created. Its API key is in ${firstKeyFile}`)
  } else if (!hasOrganization) {
    lines.push(
      'There is no organization yet. To make the first one,',
      '  stop this process (Ctrl-C), run  npx purser init --org "My company"  and start again,',
      '  or start it with  PURSER_INIT_ORG="My company"  in the environment.',
    )
  }
  return lines.join('\n')
}
