import { CommanderError } from 'commander'

/** The exit codes of all commands; `EXIT_MEANINGS` explains them. */
export const EXIT = {
  success: 0,
  failure: 1,
  usage: 2,
  rejected: 3,
  unknown: 4,
  differs: 5,
} as const

/** For docs/cli.md. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  success:
    'The command did its work. `evaluate`: the spend is approved. `pay`: the resource came. `doctor`: no check failed; there may be warnings.',
  failure:
    'The command failed, and the message says why: the gateway refused the request or did not answer. `pay`: the resource did not come, or not all of it; the message says whether it was paid. `verify` and `reconcile`: they found a mistake. `doctor`: at least one check failed.',
  usage:
    'The command line is wrong, or there is no usable API key: nothing was sent. `verify` and `reconcile`: they could not decide.',
  rejected:
    'The gateway decided, and rejected the spend. `tokens introspect`: the token is not active.',
  unknown:
    'The answer is lost, or Ctrl-C ended the wait for it, and the request may have taken effect. If the command has `--idempotency-key`, the message names a key: repeat the command with it, and the gateway runs it at most once. Repeat `mandates draft`, `apply` and `delete` as they are: a second run changes nothing twice.',
  differs:
    '`mandates diff`: the files differ from the organization, so `apply` would change something.',
}

/** Ends the command with this code, after it has printed everything. */
export function exitWith(code: number): never {
  throw new CommanderError(code, 'purser.exit', '')
}
