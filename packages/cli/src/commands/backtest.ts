import type { Command } from 'commander'
import { wholeNumber } from '../api/arguments.ts'
import { type Gateway, onGateway, withGateway } from '../api/gateway-command.ts'
import type { BacktestCommandOptions } from '../backtest/run-backtest.ts'

const DAYS_MAX = 3_660
const EXAMPLES_MAX = 100

/** `purser backtest`: replays earlier spends with the rules of a file. */
export function backtest(command: Command): void {
  withGateway(command, {
    scope: 'mandates:read; with a mandate file also agents:read',
    example: 'purser backtest mnd_… --file rules.json --days 30',
    notes:
      'The file has a list of rules, or is a mandate file: then the mandate can be\nleft out. A draft is tested with all spends of its agent. Nothing is changed.',
  })
    .argument('[mandate]', 'id of the mandate; default: the one that the mandate file names')
    .requiredOption('-f, --file <file>', 'rules or a mandate file, in JSON or YAML')
    .option('--days <number>', 'how many days to replay', wholeNumber(1, DAYS_MAX), 30)
    .option(
      '--examples <number>',
      'how many changed decisions to show',
      wholeNumber(1, EXAMPLES_MAX),
      10,
    )
    .action(
      onGateway(
        async (gateway: Gateway, mandate: string | undefined, options: BacktestCommandOptions) =>
          (await import('../backtest/run-backtest.ts')).runBacktest(gateway, mandate, options),
      ),
    )
}
