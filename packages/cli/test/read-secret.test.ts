import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { readSecret } from '../src/api/read-secret.ts'

const { stdin: outer } = process
afterEach(() => {
  vi.restoreAllMocks()
  Object.defineProperty(process, 'stdin', { value: outer, configurable: true })
})

/** Types the keys at a terminal, and returns what it showed. */
function atTerminal(...keys: readonly string[]) {
  const shown: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown.push(String(text))
    return true
  })
  const modes: boolean[] = []
  const setRawMode = (isRaw: boolean): void => void modes.push(isRaw)
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
  for (const key of keys) stdin.write(key)
  return { shown, modes }
}

test('a secret that is typed at a terminal is not shown', async () => {
  const { shown, modes } = atTerminal('psr_tesx', '\u007f', 't_1', '\r')
  expect(await readSecret('API key: ')).toBe('psr_test_1')
  expect(shown.join('')).toBe('API key: \n')
  expect(modes).toEqual([true, false])
})

test('Ctrl-C ends the question, and restores the terminal', async () => {
  const { modes } = atTerminal('psr', '\u0003')
  await expect(readSecret('API key: ')).rejects.toThrow('Interrupted')
  expect(modes).toEqual([true, false])
})
