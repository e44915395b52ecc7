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

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Each line begins with an id, so this is the order of ids. */
function stateOf(...lines: string[]) {
  return { count: lines.length, hash: sha256(lines.sort().join('\n')) }
}

describe('the first leaf of a log', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  test('commits to the agents and mandates that were there before the log, and to what these said', async () => {
    const owner = await app.organization()
    const one = await anActiveMandate(owner, { budgetTotal: 100, name: 'One' })
    await evaluate(owner, one.agentId, { amount: 3 })
    await evaluate(owner, one.agentId, { amount: 2, hold: { expiresIn: '1h' } })
    const two = await anActiveMandate(owner, { budgetTotal: 50, name: 'Two' })
    bodyOf(await owner.patch(`/mandates/${two.id}`, { rules: [{ max: 5, type: 'amount' }] }))
    await app.rows('delete from audit_logs')
    await app.rows(beginning())
    await sealAll(app)
    const { data } = bodyOf(await owner.get('/audit-log?kind=log.begun'))
    const [first, second] = [toUuid('mnd', one.id), toUuid('mnd', two.id)]
    const [{ rules } = {}] = await app.rows<{ rules?: string }>(
      'select rules::text from mandate_versions where mandate_id = $1 and version = 2',
      [second],
    )
    const terms = (name: string, budget: number, said = '[]') =>
      sha256(`["${name}", "USD", "UTC", null, null, "none", ${budget}000000, ${said}, false]`)
    expect(data).toMatchObject([
      {
        index: 0,
        payload: {
          begunWith: {
            agents: stateOf(`${one.agentId} active`, `${two.agentId} active`),
            mandates: stateOf(
              `${first} active 1 100000000 5000000 2000000`,
              `${second} active 2 50000000 0 0`,
            ),
            versions: stateOf(
              `${first} 1 ${terms('One', 100)}`,
              `${second} 1 ${terms('Two', 50)}`,
              `${second} 2 ${terms('Two', 50, rules)}`,
            ),
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
