import { expect, test } from 'vitest'
import { mandateOf, planFor } from './objects.ts'

const FILE = 'agent: research\nname: Budget\n'

test('the levels of warnings are compared, in any order', () => {
  const mandates = [mandateOf({ warningPercents: [50, 80] })]
  expect(planFor(`${FILE}warningPercents: [80, 50]\n`, { mandates }).steps).toEqual([])
  const { steps } = planFor(`${FILE}warningPercents: [90]\n`, { mandates })
  expect(steps[0]).toMatchObject({ input: { draftOf: 'mnd_1', warningPercents: [90] } })
})
