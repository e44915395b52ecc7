import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { listHelp } from '../../../scripts/cli-help.ts'
import { exampleOf } from '../src/api/gateway-command.ts'
import { createProgram } from '../src/program.ts'
import { callPurser } from './support/in-process.ts'

/** The commands with an action, and their whole names. */
function actionsOf(command: Command, name: string): (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[name, command]]
  return command.commands.flatMap((part) => actionsOf(part, `${name} ${part.name()}`))
}

const commands = actionsOf(await createProgram('0.0.0'), 'purser')

test('the help of every command is the one in docs/cli.md (npm run generate writes it)', async () => {
  const golden = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
  for (const { name, text } of await listHelp()) {
    expect(golden, name).toContain(`\`\`\`\n${text}\`\`\`\n`)
  }
})

test('every help fits into 80 columns, except for commands to copy', async () => {
  for (const { name, text } of await listHelp()) {
    const lines = text.split('\n').filter((line) => !/^ {2}\S/.test(line))
    expect(
      lines.filter((line) => line.length > 80),
      name,
    ).toEqual([])
  }
})

test.each(commands)('%s has an example that its own options allow', async (name, command) => {
  const example = exampleOf(command) ?? ''
  expect(example).toContain(`${name} `.trim())
  const flags = example.match(/(?<= )--[\w-]+/g) ?? []
  for (const flag of flags) expect(command.options.map(({ long }) => long)).toContain(flag)
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long)
  for (const flag of needed) expect(flags).toContain(flag)
})

test('every command is named by a test, which runs it', async () => {
  const folder = import.meta.dirname
  const files = await readdir(folder, { recursive: true })
  const tests = files.filter((file) => /\.test\.ts$/.test(file))
  const texts = await Promise.all(tests.map((file) => readFile(join(folder, file), 'utf8')))
  const isNamed = (name: string) => {
    const words = name.split(' ').slice(1)
    return texts.some((text) => words.every((word) => new RegExp(`['"\`]${word}['"\`]`).test(text)))
  }
  expect(commands.map(([name]) => name).filter((name) => !isNamed(name))).toEqual([])
})

test('every command that opens the database says so in its help', async () => {
  const { lines } = await callPurser(['--help'])
  const text = lines.join('\n')
  const [, listed = ''] = /which open the database:\n((?: {2}.*\n)+)/.exec(text) ?? []
  const names = [...listed.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name)
  expect(names).toContain('init')
  for (const { name, text: help } of await listHelp()) {
    const [, group] = name.split(' ')
    const isGroup = !commands.some(([full]) => full === name)
    if (isGroup || name === 'purser keys generate') continue
    expect(/opens the database itself/.test(help), name).toBe(names.includes(group))
  }
})

test('purser help <command> shows the same as --help', async () => {
  const [first, second] = [
    await callPurser(['help', 'agents']),
    await callPurser(['agents', '--help']),
  ]
  expect([await first.exited(), await second.exited()]).toEqual([0, 0])
  expect(first.lines).toEqual(second.lines)
})
