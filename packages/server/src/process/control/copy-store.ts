import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cancelMove, closeForMove, endMove } from '../../storage/backup/move.ts'
import type { Database } from '../../storage/engine/database.ts'
import { lockDataFolder } from '../../storage/engine/embedded/data-folder.ts'
import type { ControlCommand } from './serve-control.ts'

const COPY_NAME = /^copy-[0-9a-f]{16}$/

/**
 * `backup-copy`: copies the database into a folder inside the data folder, between two transactions.
 * The command opens that copy itself, so decisions wait for the copy alone. The gateway removes the
 * folder when the command closes its connection, or at the next start. With `isMove` it closes the
 * store first.
 */
export function copyStore(db: Database, dataDir: string): ControlCommand {
  const { copyFiles } = db
  let isCopying = false
  return async ({ isMove }, onClosed) => {
    if (!copyFiles) throw new Error('This store has no files of its own to copy.')
    if (isCopying) throw new Error('Another backup is running. Repeat this one when it has ended.')
    isCopying = true
    const folder = join(dataDir, `copy-${randomBytes(8).toString('hex')}`)
    const remove = () => rm(folder, { recursive: true, force: true })
    try {
      if (isMove === true) await closeForMove(db)
      const waitedMs = await copyFiles(join(folder, 'db'))
      onClosed(remove)
      return { folder, waitedMs }
    } catch (error) {
      await remove()
      throw error
    } finally {
      isCopying = false
    }
  }
}

/** `end-move`: the file of the move is complete, or with `isCancelled` there will be none. */
export function endStoreMove(db: Database): ControlCommand {
  return async ({ isCancelled }) => {
    await (isCancelled === true ? cancelMove(db) : endMove(db))
    return {}
  }
}

/** Removes the copies of commands that ended while no gateway ran. One that is in use is locked. */
export async function removeOldCopies(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => COPY_NAME.test(name))
  for (const name of names) {
    const folder = join(dataDir, name)
    const unlock = await lockDataFolder(folder).catch(() => undefined)
    if (!unlock) continue
    await unlock()
    await rm(folder, { recursive: true, force: true })
  }
}
