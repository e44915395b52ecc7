import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOfLeaf, signCheckpoint } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  anEntry,
  frontierOf,
  keyText,
  LOG,
  someSigner,
  text,
} from '../../audit/test/verify/some-log.ts'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { createRandom } from '../../server/test/support/random.ts'
import { sized } from '../../server/test/support/sized.ts'
import { killPursers, startPurser } from './support/purser.ts'

const LEAVES = sized(160_000, 200_000)
const HEAP_MB = 32

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(async () => {
  killPursers()
  await folder.remove()
})

test('an export that is larger than the memory is verified', async () => {
  const [file, key] = [join(folder.path, 'export.ndjson'), join(folder.path, 'log.vkey')]
  await writeExport(file)
  await writeFile(key, keyText(someSigner()))
  expect((await stat(file)).size).toBeGreaterThan(2 * HEAP_MB * 1024 ** 2)
  const purser = await startPurser(['verify', file, '--key', key], {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  })
  expect(await purser.exited()).toBe(0)
  const last = (LEAVES - 1).toLocaleString('en-US')
  expect(purser.lines.join('\n')).toMatch(
    new RegExp(`^ {2}leaves +0 to ${last}: all signed leaves$`, 'm'),
  )
})

async function writeExport(file: string): Promise<void> {
  const out = createWriteStream(file)
  const random = createRandom(3)
  const frontier = frontierOf([])
  const header = { version: 1, log: LOG, content: 'leaves', from: 0, frontier: [] } as const
  out.write(`${text({ type: 'header', ...header })}\n`)
  for (let index = 0; index < LEAVES; index++) {
    const { leaf, payload, salt } = anEntry(random, index)
    const hash = hashOfLeaf(leaf, sha256)
    frontier.append(hash)
    const line = text({ type: 'leaf', index, hash, leaf, opening: { payload, salt } })
    if (!out.write(`${line}\n`)) await once(out, 'drain')
  }
  const checkpoint = { origin: LOG, size: LEAVES, root: frontier.root() }
  const note = signCheckpoint(checkpoint, [someSigner()]) ?? ''
  out.end(`${text({ type: 'checkpoint', note })}\n`)
  await once(out, 'finish')
}
