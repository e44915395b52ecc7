import { expect, test } from 'vitest'
import { createTestDatabase, describeOnUsualEngine } from '../../support/database.ts'

describeOnUsualEngine('statements that are sent together', (engine) => {
  test('all fail with the reason of the first that fails', async () => {
    const { db, drop } = await createTestDatabase(engine)
    const failed = db.transaction(async (tx) => {
      const late = async (text: string) => {
        const rows = await Promise.all([tx.query({ text })])
        return rows.flat()
      }
      await Promise.all([late('select 1 / 0'), tx.query({ text: 'select 1' })])
    })
    await expect(failed).rejects.toThrow('division by zero')
    const sent = db.transaction(async (tx) => {
      tx.send({ text: 'select 1 / 0' })
      await tx.query({ text: 'select 1' })
    })
    await expect(sent).rejects.toThrow('division by zero')
    await drop()
  })
})
