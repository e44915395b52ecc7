import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMistakes } from './architecture/find-mistakes.ts'
import { findPackageMistakes } from './architecture/packages.ts'
import { readDocument } from './architecture/read-document.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = join(ROOT, 'packages')

/** Part of `npm run check`: compares the imports of the packages with ARCHITECTURE.md. */
const packages = new Map(readdirSync(PACKAGES).map((name) => [name, readSources(name)]))
const document = readDocument(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))
const mistakes = [
  ...findMistakes(packages.get('server') ?? new Map(), document),
  ...findPackageMistakes(packages, document.packages),
]
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exitCode = 1

function readSources(name: string): Map<string, string> {
  const folder = join(PACKAGES, name, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
}
