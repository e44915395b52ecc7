import { afterAll, beforeAll, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { describeOnUsualEngine } from '../support/database.ts'
import { holdsAgainstExport } from './export-property.ts'

describeOnUsualEngine('sums of analytics', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(engine)
  })
  afterAll(() => app?.stop())

  test('equal those of the export to the micro, whatever became of the spends', () =>
    holdsAgainstExport(app, 1))
})
