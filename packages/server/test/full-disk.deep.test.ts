import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyEmbeddedTemplate, createTemporaryFolder } from './support/database.ts'
import { killPrograms, startProgram } from './support/program.ts'

const PRELOAD = fileURLToPath(new URL('support/full-disk.mjs', import.meta.url))

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'data')
  copyEmbeddedTemplate(dataDir)
})
afterEach(async () => {
  await killPrograms()
  await folder.remove()
})

async function ask(url: string, path: string, body?: object): Promise<Response> {
  const key = (await readFile(join(dataDir, 'initial-api-key'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = body && { method: 'POST', body: JSON.stringify(body) }
  return fetch(`${url}/api/v1${path}`, { headers, ...post })
}

describe('a gateway on the embedded engine', () => {
  test('refuses writes while the disk is nearly full, and still reads', async () => {
    const env = { PURSER_DATA_DIR: dataDir, PURSER_INIT_ORG: 'Acme' }
    const gateway = await startProgram({ ...env, PURSER_FREE_SPACE_MIN_MB: '999999999' })
    const url = await gateway.url()
    const spend = {
      agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
      amount: 1,
      vendor: 'a.example',
    }
    for (const [path, body] of [
      ['/gateway/evaluate', { ...spend, category: 'llm' }],
      ['/agents', { name: 'New' }],
    ] as const) {
      const refused = await ask(url, path, body)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
      expect(await refused.json()).toMatchObject({ code: 'storage_full' })
    }
    expect((await ask(url, '/agents')).status).toBe(200)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const ready = await fetch(`${url}/readyz`)
    expect(ready.status).toBe(503)
    const body = { status: 'not_ready', database: true, storageFull: true }
    expect(await ready.json()).toMatchObject(body)
    const told = gateway.lines.filter((line) => line.includes('storage.disk_nearly_full'))
    expect(told).toHaveLength(1)
  })

  test('logs once why the engine stopped, exits with 1, and starts again when the disk has room', async () => {
    const isFull = join(folder.path, 'full')
    const env = {
      PURSER_DATA_DIR: dataDir,
      PURSER_INIT_ORG: 'Acme',
      NODE_OPTIONS: `--import ${PRELOAD}`,
      FULL_DISK_WHEN: isFull,
    }
    const gateway = await startProgram(env)
    const url = await gateway.url()
    expect((await ask(url, '/agents', { name: 'Before' })).status).toBe(200)
    await writeFile(isFull, '')
    // The answer may be cut off, because the process ends.
    const lost = Array.from({ length: 20 }, () =>
      ask(url, '/agents', { name: 'Lost' }).catch(() => undefined),
    )
    for (const last of await Promise.all(lost)) expect(last?.status ?? 503).toBe(503)
    expect(await gateway.exited()).toEqual({ code: 1, signal: null })
    const told = gateway.lines.filter((line) => /^{"level":[456]0/.test(line))
    expect(told).toEqual([expect.stringMatching(/"event":"storage.engine_stopped".*ENOSPC/)])

    await rm(isFull)
    const again = await startProgram(env)
    const agents = await (await ask(await again.url(), '/agents')).text()
    expect(agents).toContain('"name":"Before"')
  })
})
