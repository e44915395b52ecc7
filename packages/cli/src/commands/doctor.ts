import type { Check } from '@purser/server'
import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { EXIT, exitWith } from '../exit.ts'
import { type Color, paint } from '../output/color.ts'
import { plain } from '../output/plain.ts'
import { print, printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'
import { toStandardError } from './warnings.ts'

const NOTES = `
Checks Node, the settings, files, disk, addresses, the database and its clock,
migrations, the master key, expired holds, lags of workers, webhook receivers
and backups: one line each, and a second line if there is something to do. It
changes nothing, and sends no event. Each webhook receiver gets one HEAD
request. This command opens the database itself, and needs no API key. Gateways
may run: with the embedded database it asks the running gateway, over the socket
in its folder.
Exit codes: 0 no check failed (there may be warnings), 1 a check failed.`

/** `purser doctor`: checks an installation beside its gateways, or without one. */
export function doctor(command: Command): void {
  command
    .option('--json', 'print only a JSON object')
    .addHelpText('after', NOTES)
    .action(({ json }: { readonly json?: true }) => examine(json === true))
  withExample(command, 'purser doctor')
}

async function examine(isJson: boolean): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { runDoctor } = await loadServer()
  const checks = await runDoctor(process.env, toStandardError)
  const status = worstOf(checks)
  if (isJson) printJson({ status, checks })
  else print(checks.flatMap(toLines))
  if (status === 'fail') exitWith(EXIT.failure)
}

function worstOf(checks: readonly Check[]): Check['status'] {
  const has = (status: Check['status']): boolean => checks.some((check) => check.status === status)
  if (has('fail')) return 'fail'
  return has('warn') ? 'warn' : 'ok'
}

const COLORS: Readonly<Record<Check['status'], Color>> = {
  ok: 'green',
  warn: 'yellow',
  fail: 'red',
}
const STATUS_WIDTH = 4
const NAME_WIDTH = 13

function toLines({ name, status, text, action }: Check): string[] {
  const begin = `${paint(status.padEnd(STATUS_WIDTH), COLORS[status])}  ${name.padEnd(NAME_WIDTH)}`
  const line = `${begin}  ${plain(text.replace(/\s*\n\s*/g, ' '))}`
  if (action === null) return [line]
  return [line, `${' '.repeat(STATUS_WIDTH + NAME_WIDTH + 4)}→ ${plain(action)}`]
}
