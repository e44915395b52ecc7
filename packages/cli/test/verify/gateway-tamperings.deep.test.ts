import { expect, test } from 'vitest'
import { createTestApp } from '../../../server/test/support/app.ts'
import { createRandom } from '../../../server/test/support/random.ts'
import { exportOf, keysOf, someHistory, unfoundOf } from './gateway-log.ts'

test('whatever is tampered with in a real export is found, ten thousand times', async () => {
  const app = await createTestApp()
  try {
    const { owner } = await someHistory(app)
    const { keys } = await keysOf(owner)
    expect(unfoundOf(await exportOf(owner), keys, createRandom(16), 10_000)).toEqual([])
  } finally {
    await app.stop()
  }
})
