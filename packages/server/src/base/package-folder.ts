import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of this package, which holds `src`, `dist` and the files that the program reads at
 * runtime (migrations, lists, the prepared database). It is the nearest parent folder with a
 * package.json, because the build bundles this module with others into a file of `dist`.
 */
export const PACKAGE_FOLDER = findUp(import.meta.dirname)

function findUp(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error('The folder of the package was not found.')
  return findUp(above)
}
