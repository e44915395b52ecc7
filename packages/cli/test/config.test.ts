import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callPurser } from './support/in-process.ts'

const ENV = { DATABASE_URL: 'postgres://ada:hunter2@db/purser', PURSER_PROT: '1' }

test('purser config shows each setting with its source, and hides secrets', async () => {
  const { lines, told, exited } = await callPurser(['config'], ENV)
  expect(await exited()).toBe(0)
  expect(lines.some((line) => /^PURSER_PORT +3000 +default$/.test(line))).toBe(true)
  expect(lines.join('\n')).toMatch(/DATABASE_URL +postgres:\/\/\*\*\*@db\/purser +environment/)
  expect(lines.join('\n')).not.toContain('hunter2')
  expect(told).toEqual(['PURSER_PROT is not a setting. Did you mean PURSER_PORT?'])
})

test('purser config hides user, password and query of every URL', async () => {
  const hidden = 'user:secret1@'
  const env = {
    DATABASE_URL: `postgres://${hidden}db.example/purser?password=secret2`,
    PURSER_SMTP_URL: `smtp://${hidden}mail.example:587?tls=required`,
    PURSER_MAIL_FROM: 'purser@example.com',
    PURSER_X402_NETWORKS: `eip155:84532=https://${hidden}node.example/secret3?key=secret4`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `https://${hidden}traces.example/otlp?token=secret5`,
  }
  const { lines, exited } = await callPurser(['config'], env)
  expect(await exited()).toBe(0)
  const text = lines.join('\n')
  for (const host of ['db', 'mail', 'node', 'traces']) expect(text).toContain(`@${host}.example`)
  expect(text).not.toMatch(/user:|secret|tls=/)
})

test('purser config --json prints one object', async () => {
  const { lines } = await callPurser(['config', '--json'], ENV)
  const { settings, unknown } = JSON.parse(lines.join(''))
  expect(settings).toContainEqual({
    ...{ name: 'DATABASE_URL', value: 'postgres://***@db/purser', source: 'environment' },
    ...{ file: null, isHidden: true },
  })
  expect(unknown).toEqual([{ name: 'PURSER_PROT', hint: 'Did you mean PURSER_PORT?' }])
})

test('purser config names every mistake and exits with code 1', async () => {
  const env = { PURSER_PORT: 'x', DATABASE_URL: 'mysql://ada:hunter2@db' }
  const { lines, told, exited } = await callPurser(['config'], env)
  expect([await exited(), lines]).toEqual([1, []])
  expect(told.join('\n')).toMatch(/PURSER_PORT must be.*|DATABASE_URL must look like/)
  expect(told.join('\n')).not.toContain('hunter2')
})

test('no variable that a command reads is reported as an unknown setting', async () => {
  const folder = join(import.meta.dirname, '../src')
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const names = texts.join().match(/\bPURSER_[A-Z_]+\b/g) ?? []
  expect(names).toContain('PURSER_BASE_URL')
  // An empty value counts as unset.
  const env = Object.fromEntries(names.map((name) => [name, '']))
  const { lines } = await callPurser(['config', '--json'], env)
  expect(JSON.parse(lines.join('')).unknown).toEqual([])
})
