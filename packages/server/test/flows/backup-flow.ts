import { expect, test } from 'vitest'
import { aroundStores, backUp, restoreInto, rowsIn, rowsOf } from '../operator/backup/stores.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

/** Comes last: by then the store has rows of all payment paths. */
export const backupFlow: Flow = (stage) => {
  const { anEmptyTarget, inFolder } = aroundStores()

  test('a backup of everything that the flows stored restores every row', async () => {
    const { app } = stage()
    let count = 0
    let file = ''
    let rows = ''
    // Workers may write meanwhile, and then the backup is of neither state.
    await waitUntil(async () => {
      count += 1
      file = inFolder(`backup-${count}.gz`)
      rows = await rowsOf(app)
      await backUp(app, file)
      return rows === (await rowsOf(app))
    })
    const { env } = await anEmptyTarget(app.database.db.engine)
    const { PURSER_MASTER_KEY: previous = '' } = env
    // An earlier flow has moved the store to this key and back.
    const key = Buffer.alloc(32, 9).toString('base64')
    const keys = { PURSER_MASTER_KEY: key, PURSER_MASTER_KEY_PREVIOUS: previous }
    const target = { env: { ...env, ...keys } }
    await restoreInto(target, file)
    expect(await rowsIn(target)).toBe(rows)
    for (const table of ['x402_payments', 'card_facts', 'acp_checkouts', 'approvals', 'members']) {
      expect(rows).toContain(`\n${table} {`)
    }
  })
}
