import type { Command } from 'commander'

/** `purser serve`: the gateway itself, configured by the environment. */
export function serve(program: Command): void {
  program
    .command('serve')
    .description('start the gateway (settings: PURSER_HOST, PURSER_PORT, DATABASE_URL, …)')
    .action(async () => {
      const { runGateway } = await import('@purser/server')
      await runGateway(process.env)
    })
}
