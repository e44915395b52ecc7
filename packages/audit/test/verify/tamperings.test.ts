import { expect, test } from 'vitest'
import { tamperWith } from './tamper-with.ts'
import { SORTS } from './tamperings.ts'

// The deep suite tries thousands of each.
test.each(Object.entries(SORTS))('tampering with %s is found, a hundred times', (_, tamperings) => {
  const { unfound, needless, tried } = tamperWith(tamperings, 100, 20_261_116)
  expect({ unfound, needless }).toEqual({ unfound: [], needless: [] })
  expect([...tried.keys()].sort()).toEqual(Object.keys(tamperings).sort())
})
