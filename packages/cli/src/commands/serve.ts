import type { Command } from 'commander'

/** `purser serve`: starts the gateway, which environment variables configure. */
export function serve(program: Command): void {
  program
    .command('serve')
    .description('start the gateway; `purser settings` lists its environment variables')
    .action(async () => {
      const { runGateway } = await import('@purser/server')
      await runGateway(process.env)
    })
}
