// This is plain JavaScript without dependencies, because the build imports it.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

/**
 * Copies the declarations that the entries of a package need, directly or through each other. The
 * compiler writes one for each module, and most are for no user of the package: some name packages
 * that an installation does not have.
 */
export function publishTypes(from, to, entries) {
  for (const name of readdirSync(to, { recursive: true })) {
    if (name.endsWith('.d.ts') && !name.startsWith('.')) rmSync(join(to, name))
  }
  const files = entries.map((entry) => `${entry}.d.ts`)
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    copyFileSync(join(from, file), join(to, file))
    for (const [, path] of readFileSync(join(from, file), 'utf8').matchAll(IMPORT)) {
      const target = join(dirname(file), path).replace(/\.[jt]s$/, '.d.ts')
      if (!files.includes(target)) files.push(target)
    }
  }
}
