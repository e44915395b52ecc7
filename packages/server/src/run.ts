import { readConfig } from './config.ts'
import { startServer } from './server.ts'
import { toWelcome } from './welcome.ts'

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
  const isDevelopment = config.environment === 'development'
  process.stdout.write(`${toWelcome({ ...gateway, isDevelopment })}\n`)
}

/** What a person sees when the gateway cannot start or stop: one sentence, no stack. */
export function failed(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
