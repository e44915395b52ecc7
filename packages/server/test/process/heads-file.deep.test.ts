import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'
import { startServer } from '../../src/process/server.ts'
import { copyEmbeddedTemplate, createTemporaryFolder } from '../support/database.ts'
import { waitUntil } from '../support/wait-until.ts'

test('a gateway keeps heads in PURSER_HEADS_FILE, and starts closed if its store is behind', async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => folder.remove())
  const dataDir = join(folder.path, 'data')
  copyEmbeddedTemplate(dataDir)
  const path = join(folder.path, 'heads.json')
  const config = readConfig({
    PURSER_PORT: '0',
    PURSER_LOG_LEVEL: 'fatal',
    PURSER_DATA_DIR: dataDir,
    PURSER_INIT_ORG: 'Acme',
    PURSER_HEADS_FILE: path,
  })
  const first = await startServer(config)
  const hasHead = () => existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).heads.length > 0
  await waitUntil(hasHead).finally(first.stop)

  const storeOf = async () => {
    const gateway = await startServer(config)
    const ready = await fetch(`${gateway.url}/readyz`)
    const { store } = JSON.parse(await ready.text())
    await gateway.stop()
    return store
  }
  expect(await storeOf()).toBe('open')
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  kept.heads[0].size += 1_000
  writeFileSync(path, JSON.stringify(kept))
  expect(await storeOf()).toBe('behind')
})
