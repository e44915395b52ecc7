import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportOf, keysOf, someHistory } from '../../cli/test/verify/gateway-log.ts'
import { createTestApp, type TestApp } from '../../server/test/support/app.ts'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { toVerifierKeyText } from '../src/index.ts'

const PACKAGE = resolve(import.meta.dirname, '..')
const BUNDLE = resolve(PACKAGE, '../../scripts/bundle-audit.mjs')
const TARBALL_BYTES_MAX = 100_000
const QUIETLY = ['--offline', '--no-audit', '--no-fund', '--silent']

const run = promisify(execFile)

/** An export of a gateway, verified by the package that was installed from its tarball alone. */
describe('the packed package', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let app: TestApp
  let tarball: string
  let home: string

  beforeAll(async () => {
    folder = await createTemporaryFolder()
    app = await createTestApp()
    tarball = await pack()
    home = join(folder.path, 'home')
    await mkdir(home)
    await writeFile(join(home, 'package.json'), '{"name":"auditor","private":true}')
    await run('npm', ['install', ...QUIETLY, tarball], { cwd: home })
    const { owner, receipts } = await someHistory(app)
    const { keys, head } = await keysOf(owner)
    await write('export.ndjson', (await exportOf(owner)).join('\n'))
    await write('log.vkey', keys.map(toVerifierKeyText).join('\n'))
    await write('head.note', head)
    await write('receipts.ndjson', receipts.join('\n'))
  })
  afterAll(async () => {
    await app.stop()
    await folder.remove()
  })

  test('is small and brings no other package', async () => {
    expect((await stat(tarball)).size).toBeLessThan(TARBALL_BYTES_MAX)
    expect((await readdir(join(home, 'node_modules'))).filter(isVisible)).toEqual(['@purser'])
    expect(await readdir(join(home, 'node_modules/@purser'))).toEqual(['audit'])
  })

  test('verifies the export of a gateway', async () => {
    const kept = ['--head', 'head.note', '--receipts', 'receipts.ndjson']
    const { code, stdout } = await audit('verify', 'export.ndjson', '--key', 'log.vkey', ...kept)
    expect(stdout).toMatch(/^Everything fits\.$/m)
    expect(stdout).toMatch(/^ {2}receipts +3 that you kept: all are in the log$/m)
    expect(code).toBe(0)
  })

  test('finds an export that was changed, and names the line', async () => {
    const text = await readFile(join(home, 'export.ndjson'), 'utf8')
    await write('tampered.ndjson', text.replace('"vendor":"', '"vendor":"x'))
    const { code, stderr } = await audit('verify', 'tampered.ndjson', '--key', 'log.vkey')
    expect(stderr).toMatch(/^purser-audit: Line \d+: the payload of leaf \d+ does not match/)
    expect(code).toBe(1)
  })

  test('says its version, and what it cannot do', async () => {
    const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
    expect(await audit('--version')).toMatchObject({ code: 0, stdout: `${version}\n` })
    expect(await audit()).toMatchObject({ code: 2 })
    expect(await audit('serve')).toMatchObject({ code: 2 })
  })

  /** Built from the current source, because `dist` may be stale. */
  async function pack(): Promise<string> {
    const copy = join(folder.path, 'package')
    const isSource = (path: string): boolean => path !== join(PACKAGE, 'dist')
    await cp(PACKAGE, copy, { recursive: true, filter: isSource })
    await run(process.execPath, [BUNDLE, join(copy, 'dist')])
    const { stdout } = await run('npm', ['pack', '--silent'], { cwd: copy })
    return join(copy, stdout.trim())
  }

  async function audit(...args: readonly string[]) {
    const program = join(home, 'node_modules/.bin/purser-audit')
    return run(program, args, { cwd: home }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  }

  async function write(name: string, content: string): Promise<void> {
    await writeFile(join(home, name), content)
  }
})

function isVisible(name: string): boolean {
  return !name.startsWith('.')
}
