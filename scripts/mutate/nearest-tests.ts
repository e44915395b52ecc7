import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { importsOf } from '../architecture/imports.ts'

/**
 * The quick test files that are nearest to a source file: the one that mirrors it, and those of the
 * same part (`core`, `paths/card`, …) that import it. Where there are none, those of the mirrored folder.
 */
export function nearestTests(root: string, source: string): readonly string[] {
  const [, home, path] = /^(packages\/[^/]+)\/src\/(.+)\.ts$/.exec(source) ?? []
  if (home === undefined || path === undefined) return []
  const tests = testsBelow(root, join(home, 'test', partOf(path)))
  const mirror = join(home, 'test', `${path}.test.ts`)
  const near = tests.filter((test) => test === mirror || doesImport(root, test, source))
  if (near.length > 0) return near
  return tests.filter((test) => test.startsWith(`${join(home, 'test', dirname(path))}/`))
}

/** The first folder; of payment paths the first two. */
function partOf(path: string): string {
  const folders = dirname(path).split('/')
  return join(...folders.slice(0, folders[0] === 'paths' ? 2 : 1))
}

function testsBelow(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.deep.test.ts'))
      .map((name) => join(folder, name))
      .sort()
  } catch {
    return []
  }
}

function doesImport(root: string, test: string, source: string): boolean {
  const file = join(root, test)
  return importsOf(readFileSync(file, 'utf8')).some(
    (specifier) => resolve(dirname(file), specifier) === join(root, source),
  )
}
