import { expect, test } from 'vitest'
import { tamperWith } from './tamper-with.ts'
import { SORTS } from './tamperings.ts'

// The deep suite tries 1,000 tamperings of each sort, and the nightly suite 10,000.
test.each(Object.entries(SORTS))('tampering with %s is found, a hundred times', (_, tamperings) => {
  const { unfound, needless, tried } = tamperWith(tamperings, 100, 20_261_116)
  expect({ unfound, needless }).toEqual({ unfound: [], needless: [] })
  expect([...tried.keys()].sort()).toEqual(Object.keys(tamperings).sort())
})
