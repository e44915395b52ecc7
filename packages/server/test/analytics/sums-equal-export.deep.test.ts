import { afterAll, beforeAll, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { describeOnEveryEngine } from '../support/database.ts'
import { sized } from '../support/sized.ts'
import { holdsAgainstExport } from './export-property.ts'

describeOnEveryEngine('sums of analytics', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(engine)
  })
  afterAll(() => app?.stop())

  test('equal those of the export to the micro, whatever became of the spends', () =>
    holdsAgainstExport(app, sized(5, 20)))
})
