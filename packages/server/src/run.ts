import { readConfig } from './config.ts'
import { type RunningServer, startServer } from './server.ts'

/** The process: reads the configuration, starts, and stops in order on a signal. */
export async function runGateway(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const config = readConfig(env, { isTerminal: process.stdout.isTTY === true })
  process.stdout.write(
    'Starting Purser … (a first start makes the database, which takes some seconds)\n',
  )
  const gateway = await startServer(config)
  // Before it says that it listens: whoever waits for that may send a signal at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // It listens only once: a second signal meets Node's own handling and ends the process at once.
    process.once(signal, () => {
      gateway.drain().catch(failed)
    })
  }
  process.stdout.write(`${welcome(gateway)}\n`)
}

/** What a person sees when the gateway cannot start or stop: one sentence, no stack. */
export function failed(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function welcome({ url, firstKeyFile, hasOrganization, engine }: RunningServer): string {
  const lines = [
    `Purser listens on ${url}  (API at ${url}/api/v1, its document at ${url}/openapi.json)`,
  ]
  if (firstKeyFile !== undefined) {
    lines.push(`The first organization was created. Its API key is in ${firstKeyFile}`)
  } else if (!hasOrganization) {
    lines.push(
      'There is no organization yet. To make the first one,',
      engine === 'postgres'
        ? '  run  npx purser init --org "My company"  with the same settings,'
        : '  stop this process (Ctrl-C), run  npx purser init --org "My company"  and start again,',
      '  or start it with  PURSER_INIT_ORG="My company"  in the environment.',
    )
  }
  return lines.join('\n')
}
