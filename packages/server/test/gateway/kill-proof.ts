import { expect } from 'vitest'
import { openDatabase } from '../../src/storage/engine/database.ts'
import type { Engine } from '../support/database.ts'
import { auditDrill, runKillDrill } from '../support/kill-drill.ts'
import { createPlace } from '../support/place.ts'
import { silentLog } from '../support/silent-log.ts'

interface Kills {
  /** How many processes there are at a time; the embedded engine allows one. */
  readonly gateways: number
  readonly killsPerGateway: number
  readonly clients: number
  /** Spends per transaction at most. */
  readonly batchSizeMax?: number
}

/** Kills gateways under load, and expects that nothing is lost and nothing done twice. */
export async function proveNothingIsLost(engine: Engine, kills: Kills): Promise<void> {
  const seed = Date.now() % 1_000_000
  const { place, remove } = await createPlace(engine)
  const result = await runKillDrill({ place, seed, ...kills })
  const { answered, repeats, foundDone } = result
  console.info(
    `${engine}, seed ${seed}: ${result.kills} kills, ${answered} answers, ${repeats} repeats, ` +
      `of which ${foundDone} had been carried out`,
  )
  expect(result.faults).toEqual([])
  expect(result.kills).toBe(kills.gateways * kills.killsPerGateway)
  expect(repeats).toBeGreaterThan(0)
  const settings = { dataDir: '', databaseUrl: undefined, ...place }
  const db = await openDatabase(settings, silentLog)
  const broken = await auditDrill(db, result.spends)
  await db.close()
  await remove()
  expect(broken).toEqual([])
}
