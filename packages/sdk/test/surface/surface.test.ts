import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listSurface } from './list-surface.ts'

const SDK = join(import.meta.dirname, '../..')
const TSC = join(SDK, '../../node_modules/typescript/bin/tsc')

/*
 * The golden file shows a change of the surface in review. If a change is meant, write it with
 * `npx vitest run packages/sdk/test/surface -u`.
 */
test('the public names are those of surface.txt', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-surface-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { exports } = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8'))
  execFileSync(process.execPath, [
    ...[TSC, '-p', SDK, '--outDir', folder, '--emitDeclarationOnly', '--noCheck'],
    ...['--incremental', 'false', '--tsBuildInfoFile', 'null'],
  ])
  const entries = Object.entries<{ '@purser/source': string }>(exports).map(
    ([path, { '@purser/source': source }]): [string, string] => [
      `@purser/sdk${path.slice(1)}`,
      source.replace('./src/', '').replace(/\.ts$/, '.d.ts'),
    ],
  )
  // The audit package is bundled, so a program that uses the SDK does not have its types.
  const declarations = (await readdir(folder, { recursive: true })).filter((it) => /\.ts$/.test(it))
  for (const file of declarations) {
    expect(await readFile(join(folder, file), 'utf8'), file).not.toMatch(
      /(from |import\()['"]@purser\/audit/,
    )
  }
  await expect(listSurface(folder, new Map(entries))).toMatchFileSnapshot('../surface.txt')
})
