import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDataFolder } from '../../../../src/storage/engine/embedded/data-folder.ts'
import { startChild } from '../../../support/child-process.ts'
import { createTemporaryFolder } from '../../../support/database.ts'

const HOLDER = new URL('hold-data-folder.ts', import.meta.url)

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string

beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'data')
})
afterEach(() => folder.remove())

describe('the data folder', () => {
  it('is created for its owner alone', async () => {
    const unlock = await lockDataFolder(dataDir)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    await unlock()
  })

  it('is refused to a second process, which is told the first one', async () => {
    const holder = startChild(HOLDER, [dataDir])
    const pid = await holder.waitForLine((line) => line.startsWith('held '))
    await expect(lockDataFolder(dataDir)).rejects.toThrow(
      `The data folder ${dataDir} is in use by another Purser process (pid ${pid.slice(5)}). ` +
        'Stop it first, or set PURSER_DATA_DIR to another folder.',
    )
    await holder.kill()
  })

  it('is refused to the same process a second time', async () => {
    const unlock = await lockDataFolder(dataDir)
    await expect(lockDataFolder(dataDir)).rejects.toThrow(`(pid ${process.pid})`)
    await unlock()
  })

  it('stays held after a refused try', async () => {
    const unlock = await lockDataFolder(dataDir)
    await expect(lockDataFolder(dataDir)).rejects.toThrow()
    await expect(lockDataFolder(dataDir)).rejects.toThrow()
    await unlock()
  })

  it('is free again after it was given back, and nothing of the lock is left', async () => {
    const unlock = await lockDataFolder(dataDir)
    await unlock()
    expect(readdirSync(dataDir)).toEqual([])
    const unlockAgain = await lockDataFolder(dataDir)
    await unlockAgain()
  })

  it('is free after its holder was killed, and the dead socket is removed', async () => {
    const holder = startChild(HOLDER, [dataDir])
    await holder.waitForLine((line) => line.startsWith('held '))
    await holder.kill()
    expect(readdirSync(dataDir)).toHaveLength(1)
    const unlock = await lockDataFolder(dataDir)
    expect(readdirSync(dataDir)).toHaveLength(1)
    await unlock()
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('counts as held while its holder accepts but is too busy to answer', async () => {
    mkdirSync(dataDir)
    const silent = createServer()
    const path = join(dataDir, 'lock-00000000000000ff.sock')
    await new Promise<void>((resolve) => silent.listen(path, resolve))
    await expect(lockDataFolder(dataDir)).rejects.toThrow('in use by another Purser process')
    silent.close()
  })

  it('can have a path that is too long for a socket', async () => {
    const deep = join(dataDir, 'a'.repeat(100), 'b'.repeat(100))
    const unlock = await lockDataFolder(deep)
    await expect(lockDataFolder(deep)).rejects.toThrow('in use by another Purser process')
    await unlock()
  })
})

describe('of many starters at once', () => {
  it('exactly one gets the folder', async () => {
    for (let round = 0; round < 20; round += 1) {
      const tries = Array.from({ length: 6 }, () => lockDataFolder(dataDir))
      const outcomes = await Promise.allSettled(tries)
      const unlocks = outcomes.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
      expect(unlocks).toHaveLength(1)
      await Promise.all(unlocks.map((unlock) => unlock()))
    }
  })

  it('exactly one process gets it, over the socket of a killed one', async () => {
    const dead = startChild(HOLDER, [dataDir])
    await dead.waitForLine((line) => line.startsWith('held '))
    await dead.kill()
    const starters = [1, 2, 3].map(() => startChild(HOLDER, [dataDir]))
    const answers = await Promise.all(starters.map((it) => it.waitForLine(() => true)))
    expect(answers.filter((line) => line.startsWith('held '))).toHaveLength(1)
    expect(answers.filter((line) => line.includes('is in use by'))).toHaveLength(2)
    await Promise.all(starters.map((starter) => starter.kill()))
  })
})
