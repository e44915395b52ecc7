import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'

/** `purser serve`: starts the gateway, which environment variables configure. */
export function serve(command: Command): void {
  command.action(async () => {
    const { runGateway } = await import('@purser/server')
    await runGateway(process.env)
  })
  withExample(command, 'PURSER_PORT=8080 purser serve')
}
