import { expect, test, vi } from 'vitest'
import { createProgram } from '../src/program.ts'
import { callPurser } from './support/in-process.ts'

test('purser settings --json lists them as data', async () => {
  const { lines } = await callPurser(['settings', '--json'])
  const groups = JSON.parse(lines.join())
  const settings = Object.assign({}, ...groups.map((group: { settings: object }) => group.settings))
  expect(settings.PURSER_PORT).toMatchObject({ default: '3000', example: '8080' })
})

test('purser settings lists each variable with its default and an example', async () => {
  const written: string[] = []
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  const program = await createProgram('0.0.0')
  await program.parseAsync(['settings'], { from: 'user' }).finally(() => output.mockRestore())
  const text = written.join('')
  expect(text).toContain('  PURSER_PORT\n')
  expect(text).toContain('Default: 3000. Example: 8080\n')
  expect(text).toContain('PURSER_X402_NETWORKS_FILE can name a file')
})
