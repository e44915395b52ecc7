import type { EffectiveSetting } from '@purser/server'
import type { Command } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { print, printJson, tell } from '../output/print.ts'
import { type Column, SHORT, toTable } from '../output/table.ts'
import { loadServer } from '../packages.ts'

const NOTES = `
Reads the environment as "purser serve" does, and opens no database. *** stands
for a hidden part: secrets, and user, password and query of every URL. If a
setting is wrong, the command prints every mistake and exits with code 1.`

/** `purser config`: shows the value of every setting, and where the value comes from. */
export function config(command: Command): void {
  command
    .option('--json', 'print only a JSON object')
    .addHelpText('after', NOTES)
    .action(({ json }: { readonly json?: true }) => show(json === true))
  withExample(command, 'purser config')
}

async function show(isJson: boolean): Promise<void> {
  const { readEffective } = await loadServer()
  const { groups, unknown } = readEffective(process.env, {
    isTerminal: process.stdout.isTTY === true,
  })
  const settings = groups.flatMap((group) => group.settings)
  if (isJson) return printJson({ settings, unknown })
  print(toTable(settings, COLUMNS))
  for (const { name, hint } of unknown) tell(`${name} is not a setting. ${hint}`)
}

const COLUMNS: readonly Column<EffectiveSetting>[] = [
  { title: 'SETTING', text: ({ name }) => name },
  { title: 'VALUE', text: toText, shrinksTo: SHORT },
  { title: 'SOURCE', text: toSource, shrinksTo: SHORT },
]

function toText({ value, source }: EffectiveSetting): string {
  if (value !== null) return value
  return source === 'file' ? '(cannot be read)' : '-'
}

function toSource({ source, file }: EffectiveSetting): string {
  return file === null ? source : `${source} ${file}`
}
