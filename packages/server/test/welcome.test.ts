import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { FIRST_SPEND, toFacts, toWelcome, type Welcome } from '../src/process/welcome.ts'

const README = readFileSync(resolve(import.meta.dirname, '../../../README.md'), 'utf8')

const FIRST: Welcome = {
  url: 'http://127.0.0.1:3000',
  publicUrl: 'http://localhost:3000',
  engine: 'embedded',
  hasOrganization: true,
  firstKeyFile: "/home/o'neill/initial-api-key",
  keptKeyFile: undefined,
  setupFile: undefined,
  isDevelopment: true,
}
const LATER = { ...FIRST, firstKeyFile: undefined, keptKeyFile: '/data/initial-api-key' }

// .ci/start-smoke pastes the lines into a shell.
test('a first start in development prints commands to paste, with the key from its file', () => {
  const text = toWelcome(FIRST)
  expect(text).toContain(String.raw`export KEY="$(cat '/home/o'\''neill/initial-api-key')"`)
  expect(text).toContain(FIRST_SPEND.join('\n'))
})

test('a later start prints only the command that reads the key', () => {
  const text = toWelcome(LATER)
  expect(text).toContain(`export KEY="$(cat '/data/initial-api-key')"`)
  expect(text).not.toContain('call()')
})

test('a start names the file with the setup token of the first owner, while the file exists', () => {
  const line =
    'To create the first owner, open `/setup` and paste the token from /data/setup-token.'
  expect(toWelcome({ ...LATER, setupFile: '/data/setup-token' })).toContain(line)
  expect(toWelcome(LATER)).not.toContain('owner')
})

test('a start in development shows a person at a terminal the link that creates the first owner', () => {
  const welcome = { ...LATER, setupFile: '/data/setup-token' }
  const text = toWelcome(welcome, 'abc')
  expect(text).toContain('To become the owner, open http://localhost:3000/setup#abc')
  expect(text).not.toContain('/data/setup-token')
  const inProduction = toWelcome({ ...welcome, isDevelopment: false }, 'abc')
  expect(inProduction).not.toContain('abc')
  expect(inProduction).toContain('/data/setup-token')
  expect(
    toFacts(welcome)
      .map(({ fields }) => JSON.stringify(fields))
      .join(),
  ).not.toContain('setup#')
})

test('a start prints no commands in production, or if the key may belong to a different database', () => {
  for (const welcome of [
    { ...FIRST, isDevelopment: false },
    { ...LATER, isDevelopment: false },
    { ...LATER, engine: 'postgres' as const },
  ]) {
    expect(toWelcome(welcome)).not.toContain('export')
  }
})

test('the README shows the lines that a start prints', () => {
  expect(README).toContain(FIRST_SPEND.join('\n'))
})
