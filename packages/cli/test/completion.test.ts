import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { callPurser } from './support/in-process.ts'

test('purser completion completes commands, subcommands and options in bash', async () => {
  const { lines, exited } = await callPurser(['completion', 'bash'])
  expect(await exited()).toBe(0)
  const complete = (...words: readonly string[]): string[] => {
    const line = ['purser', ...words].map((word) => `'${word}'`).join(' ')
    const script = `${lines.join('\n')}\nCOMP_WORDS=(${line})\nCOMP_CWORD=${words.length}\n_purser\nprintf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n')
  }
  expect(complete('tra')).toEqual(['transactions'])
  expect(complete('transactions', 'se')).toEqual(['settle'])
  expect(complete('transactions', 'settle', 'txn_1', '--am')).toEqual(['--amount'])
  expect(complete('agents', 'create', '--name', 'list', '--ta')).toEqual(['--tags'])
})

test.each(['zsh', 'fish'])('purser completion writes a script for %s', async (shell) => {
  const { lines, exited } = await callPurser(['completion', shell])
  expect(await exited()).toBe(0)
  expect(lines.join('\n')).toContain('transactions')
  expect(await (await callPurser(['completion', 'cmd'])).exited()).toBe(2)
})
