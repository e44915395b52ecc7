import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { audit } from '../support/audit.ts'
import { createPathGateway } from '../support/path-gateway.ts'
import { sized } from '../support/sized.ts'
import { AT_ONCE, BY_AND_BY, proveHistories } from './past-histories.ts'
import type { Scene } from './past-proof.ts'

describe('limits that are added to many random histories', () => {
  let scene: Scene
  beforeAll(async () => {
    const app = await createTestApp()
    scene = { app, acme: await app.organization(), gateway: createPathGateway(app) }
  })
  afterAll(async () => {
    await scene.gateway.stop()
    const broken = await audit(scene.app.database.db)
    await scene.app.stop()
    expect(broken).toEqual([])
  })

  test.each([
    ['at once', AT_ONCE],
    ['by and by', BY_AND_BY],
  ])('show what the transactions come to, when these are counted %s', (_, rows) =>
    proveHistories(scene, rows, sized(6, 40)),
  )
})
