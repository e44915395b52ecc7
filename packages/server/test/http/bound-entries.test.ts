import { expect, test } from 'vitest'
import { Problem } from '../../src/base/errors.ts'
import { boundEntries } from '../../src/http/body/bound-entries.ts'
import { createTestApp } from '../support/app.ts'

function outcome(text: string): string {
  try {
    boundEntries(Buffer.from(text))
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
  return 'accepted'
}

const listOf = (length: number, entry: string): string => `[${Array(length).fill(entry).join(',')}]`

test('more entries than any request has are refused, whatever they are', () => {
  for (const entry of ['1', '{}', '[]', '""', '"\\""', '"\\\\"', '","']) {
    expect(outcome(listOf(50_001, entry)), entry).toBe('body_too_large')
    expect(outcome(listOf(50_000, entry)), entry).toBe('accepted')
  }
})

test('a comma within a text is no entry', () => {
  expect(outcome(JSON.stringify({ text: ',",\\,'.repeat(60_000) }))).toBe('accepted')
})

test('a text that does not end is left to the parser', () => {
  expect(outcome(`["${','.repeat(200_000)}`)).toBe('accepted')
  expect(outcome(`["${'\\'.repeat(200_001)}`)).toBe('accepted')
})

test('a request with too many entries is refused before they are read', async () => {
  const app = await createTestApp()
  const acme = await app.organization()
  const { status, body } = await acme.post('/gateway/simulate', { rules: Array(120_000).fill(0) })
  expect([status, body.code]).toEqual([413, 'body_too_large'])
  await app.stop()
})
