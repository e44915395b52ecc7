import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { evaluate } from '../support/spends.ts'

/** The statement of the migration that begins the logs of organizations from before. */
function beginning(): string {
  const name = readdirSync(MIGRATIONS_FOLDER).find((file) => file.endsWith('-audit-log.sql')) ?? ''
  const text = readFileSync(join(MIGRATIONS_FOLDER, name), 'utf8')
  const [statement = ''] = /insert into audit_logs[^;]*;/.exec(text) ?? []
  return statement
}

describe('the first leaf of a log', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  test('commits to the agents and mandates that were there before the log, and to what these said', async () => {
    const owner = await app.organization()
    const { agentId, id } = await anActiveMandate(owner, { budgetTotal: 100 })
    const { evaluationDetails } = await evaluate(owner, agentId, { amount: 3 })
    await evaluate(owner, agentId, { amount: 2, hold: { expiresIn: '1h' } })
    await app.rows('delete from audit_logs')
    await app.rows(beginning())
    await sealAll(app)
    const { data } = bodyOf(await owner.get('/audit-log?kind=log.begun'))
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const figures = `${toUuid('mnd', id)} active 1 100000000 5000000 2000000`
    const said = `${toUuid('mnd', id)} 1 ${evaluationDetails.policyHash}`
    expect(data).toMatchObject([
      {
        index: 0,
        payload: {
          begunWith: {
            agents: { count: 1, hash: sha256(`${agentId} active`) },
            mandates: { count: 1, hash: sha256(figures) },
            versions: { count: 1, hash: sha256(said) },
          },
        },
      },
    ])
  })

  test('commits to nothing where the log began with the organization', async () => {
    const owner = await app.organization()
    await anActiveMandate(owner)
    await sealAll(app)
    const { data } = bodyOf(await owner.get('/audit-log?kind=log.begun'))
    expect(data).toMatchObject([{ payload: { begunAfter: '0' } }])
    expect(JSON.stringify(data)).not.toContain('begunWith')
  })
})
