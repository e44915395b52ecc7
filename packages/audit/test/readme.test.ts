import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../server/test/support/database.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const README = readFileSync(join(ROOT, 'packages/audit/README.md'), 'utf8')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The values that the examples take from their reader. */
const GIVEN = `
import type { Hash, InclusionClaim } from '@purser/audit'
declare const text: string, note: string
declare const leafHash: Hash, index: number, hashes: Hash[]
declare const claim: InclusionClaim
`

test('no line of the README is longer than 100 characters', () => {
  expect(README.split('\n').filter((line) => line.length > 100)).toEqual([])
})

test('the programs of the README compile', async () => {
  const programs = [...README.matchAll(/^```[jt]s\n(.*?)^```$/gms)].map(([, code]) => code)
  expect(programs).toHaveLength(2)
  const folder = await createTemporaryFolder()
  try {
    const names = programs.map((_, at) => `program-${at}.ts`)
    for (const [at, name] of names.entries())
      await writeFile(join(folder.path, name), `${GIVEN}${programs[at]}`)
    const settings = {
      extends: join(ROOT, 'tsconfig.json'),
      include: names,
    }
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(settings))
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}')
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
    const compiled = promisify(execFile)(process.execPath, [TSC, '-p', folder.path])
    const mistakes = await compiled.then(
      () => '',
      ({ stdout }) => stdout,
    )
    expect(mistakes).toBe('')
  } finally {
    await folder.remove()
  }
})
