import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'

const NOTE = `
This command opens the database itself, and needs no API key: the database of
DATABASE_URL, else the embedded one in PURSER_DATA_DIR. The embedded one can
have only one user, so stop its gateway first.`

/** Says in the help that the command opens the database, and adds an example. */
export function opensDatabase(command: Command, example: string): Command {
  return withExample(command.addHelpText('after', NOTE), example)
}
