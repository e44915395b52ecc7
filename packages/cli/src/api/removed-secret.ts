import { type Command, Option } from 'commander'

/**
 * Refuses `--secret`, which earlier versions had: the history of the shell and the list of processes
 * show arguments. The message repeats no secret.
 */
export function refuseSecret(command: Command, variable: string): void {
  command.addOption(new Option('--secret [secret]').hideHelp())
  // This event comes before the check of required options, whose message would not help.
  command.on('option:secret', () =>
    command.error(`error: --secret was removed: set the secret in ${variable}`),
  )
}
