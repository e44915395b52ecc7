import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEmbedded } from '../../src/storage/engine/embedded/open.ts'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
} from '../support/database.ts'
import { auditDrill, type DrillResult, runKillDrill } from '../support/kill-drill.ts'
import { silentLog } from '../support/silent-log.ts'

// Hundreds of kills: torture/kill.ts.

const seed = Date.now() % 1_000_000

function report(where: string, { kills, answered, repeats, foundDone }: DrillResult): void {
  console.info(
    `${where}, seed ${seed}: ${kills} kills, ${answered} answers, ${repeats} repeats, ` +
      `of which ${foundDone} had been carried out`,
  )
}

describeOnPostgres('gateway processes that are killed under load', () => {
  test('lose nothing and do nothing twice, on PostgreSQL', async () => {
    const database = await createTestDatabase('postgres')
    const place = { databaseUrl: database.url }
    const settings = { place, gateways: 3, killsPerGateway: 6, clients: 24, seed }
    const result = await runKillDrill(settings)
    report('PostgreSQL', result)
    expect(result.faults).toEqual([])
    expect(await auditDrill(database.db, result.spends)).toEqual([])
    expect(result.kills).toBe(18)
    expect(result.repeats).toBeGreaterThan(0)
    await database.drop()
  }, 180_000)
})

describe('a gateway process that is killed under load', () => {
  test('loses nothing and does nothing twice, on the embedded engine', async () => {
    const folder = await createTemporaryFolder()
    const dataDir = join(folder.path, 'data')
    copyEmbeddedTemplate(dataDir)
    const settings = { place: { dataDir }, gateways: 1, killsPerGateway: 2, clients: 12, seed }
    const result = await runKillDrill(settings)
    report('The embedded engine', result)
    expect(result.faults).toEqual([])
    expect(result.kills).toBe(2)
    const db = await openEmbedded({ dataDir }, silentLog)
    const broken = await auditDrill(db, result.spends)
    await db.close()
    await folder.remove()
    expect(broken).toEqual([])
  }, 180_000)
})
