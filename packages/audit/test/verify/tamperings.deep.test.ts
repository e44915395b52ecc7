import { expect, test } from 'vitest'
import { tamperWith } from './tamper-with.ts'
import { SORTS } from './tamperings.ts'

test.each(Object.entries(SORTS))('tampering with %s is found, 10,000 times', (_, tamperings) => {
  const { unfound, needless, tried } = tamperWith(tamperings, 10_000, 16)
  expect({ unfound, needless }).toEqual({ unfound: [], needless: [] })
  for (const name of Object.keys(tamperings)) expect(tried.get(name)).toBeGreaterThan(1_000)
})
