import { expect, test } from 'vitest'
import { createTestApp } from '../../../server/test/support/app.ts'
import { createRandom } from '../../../server/test/support/random.ts'
import { sized } from '../../../server/test/support/sized.ts'
import { exportOf, keysOf, someHistory, unfoundOf } from './gateway-log.ts'

const TIMES = sized(1_000, 10_000)

test(`any change of a real export is found, ${TIMES} times`, async () => {
  const app = await createTestApp()
  try {
    const { owner } = await someHistory(app)
    const { keys } = await keysOf(owner)
    expect(unfoundOf(await exportOf(owner), keys, createRandom(16), TIMES)).toEqual([])
  } finally {
    await app.stop()
  }
})
