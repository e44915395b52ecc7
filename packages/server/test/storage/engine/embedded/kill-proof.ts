import { expect } from 'vitest'
import { openEmbedded } from '../../../../src/storage/engine/embedded/open.ts'
import { startChild } from '../../../support/child-process.ts'
import { silentLog } from '../../../support/silent-log.ts'

/** Kills a process that commits, and expects everything it was told to be stored. */
export async function proveSurvival(dataDir: string, kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    const child = startChild(new URL('insert-until-killed.ts', import.meta.url), [dataDir])
    const killAfter = 20 + Math.floor(Math.random() * 300)
    await child.waitForLine((_line, count) => count >= killAfter)
    await child.kill()
    const db = await openEmbedded({ dataDir }, silentLog)
    const rows = await db.query<{ id: number }>({ text: 'select id from acknowledged' })
    await db.close()
    const stored = new Set(rows.map(({ id }) => id))
    expect(child.lines.length).toBeGreaterThanOrEqual(killAfter)
    expect(child.lines.filter((line) => !stored.has(Number(line)))).toEqual([])
  }
}
