import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { loadServer } from '../packages.ts'

interface ServeOptions {
  readonly workers?: string
}

/** `purser serve`: starts the gateway, which environment variables configure. */
export function serve(command: Command): void {
  command
    .option(
      '--workers <number>',
      'serve with this many processes, which share the port; needs PostgreSQL',
    )
    .action(async ({ workers }: ServeOptions) => {
      const { readWorkerCount, runGateway } = await loadServer()
      const count = workers === undefined ? {} : { workers: readWorkerCount(workers) }
      await runGateway(process.env, count)
    })
  withExample(command, 'PURSER_PORT=8080 purser serve')
}
