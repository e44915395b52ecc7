import { expect, test } from 'vitest'
import { sized } from '../../../server/test/support/sized.ts'
import { tamperWith } from './tamper-with.ts'
import { SORTS } from './tamperings.ts'

const TIMES = sized(1_000, 10_000)

test.each(Object.entries(SORTS))(`tampering with %s is found, ${TIMES} times`, (_, tamperings) => {
  const { unfound, needless, tried } = tamperWith(tamperings, TIMES, 16)
  expect({ unfound, needless }).toEqual({ unfound: [], needless: [] })
  for (const name of Object.keys(tamperings)) expect(tried.get(name)).toBeGreaterThan(TIMES / 10)
})
