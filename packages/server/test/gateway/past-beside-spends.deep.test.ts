import { afterAll, beforeAll, test } from 'vitest'
import { createTestApp, joinTestApp, type TestApp } from '../support/app.ts'
import { describeOnPostgres } from '../support/database.ts'
import { createPathGateway } from '../support/path-gateway.ts'
import { whenSwept } from '../support/spends.ts'
import { AT_ONCE, BY_AND_BY, randomOf } from './past-histories.ts'
import {
  addLimits,
  aLine,
  compareWithModel,
  removeLimits,
  type Scene,
  takeStep,
  whenCounted,
  withRows,
} from './past-proof.ts'

describeOnPostgres('limits that are added while others spend', () => {
  let app: TestApp
  let other: TestApp
  beforeAll(async () => {
    app = await createTestApp('postgres')
    other = await joinTestApp(app)
  })
  afterAll(async () => {
    await other.stop()
    await app.stop()
  })

  test.each([
    ['at once', AT_ONCE],
    ['by and by', BY_AND_BY],
  ])('miss nothing and count nothing twice, when counted %s', (_, rows) =>
    withRows(rows, async () => {
      const acme = await app.organization()
      const scene = { app, acme, gateway: createPathGateway(app) }
      const second = { ...scene, acme: { ...acme, ...other.client(acme.apiKey) } }
      const line = await aLine(scene)
      const random = randomOf(7)
      const play = async (at: Scene, steps: number) => {
        for (let step = 0; step < steps; step++) await takeStep(at, line, random)
      }
      await play(scene, 10)
      const players = Array.from({ length: 6 }, (_, index) =>
        play(index % 2 === 0 ? scene : second, 25),
      )
      await addLimits(second, line)
      await removeLimits(scene, line)
      await addLimits(scene, line)
      await Promise.all(players)
      await whenCounted(scene)
      // The figures are compared at one instant, at which no hold is left that ends meanwhile.
      const now = Date.now() + 11_000
      app.clock.now = now
      await whenSwept(app, now)
      await compareWithModel(scene, line, now)
      app.clock.now = undefined
      await scene.gateway.stop()
    }),
  )
})
