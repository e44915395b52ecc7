import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createTestRunner } from '../mutate/test-runner.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCE = 'packages/audit/src/bytes.ts'
const TESTS = ['packages/audit/test/bytes.test.ts']

test('the runner notices a mutant of a source that it has already loaded unmutated', async () => {
  const text = readFileSync(join(ROOT, SOURCE), 'utf8')
  const mutant = text.replace('byte.toString(16)', 'byte.toString(8)')
  expect(mutant).not.toBe(text)
  const runner = await createTestRunner(ROOT)
  try {
    // This run would fill a cache, and the next one would read the source from it.
    expect(await runner.passing(TESTS, SOURCE, [text])).toEqual([true])
    expect(await runner.passing(TESTS, SOURCE, [mutant, text])).toEqual([false, true])
  } finally {
    await runner.close()
  }
})
