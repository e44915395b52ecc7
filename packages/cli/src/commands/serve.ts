import type { Command } from 'commander'

/** `purser serve`: starts the gateway, which environment variables configure. */
export function serve(command: Command): void {
  command.action(async () => {
    const { runGateway } = await import('@purser/server')
    await runGateway(process.env)
  })
}
