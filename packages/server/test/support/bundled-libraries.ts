import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDER = join(ROOT, 'node_modules/.cache/purser-test-libraries')

/**
 * Replaces the modules that list libraries with their bundles, so that every test of x402, passkeys and
 * MCP runs the code that is published, and not the packages it is made from.
 */
export const BUNDLED_LIBRARIES = {
  find: /^.*\/(x402|passkey|mcp)-libraries\.ts$/,
  replacement: join(FOLDER, '$1-libraries.js'),
}

/** The packages, what we use of them, and how it is bundled. */
const INPUTS = [
  'package-lock.json',
  'scripts/bundle-libraries.mjs',
  'scripts/licenses.mjs',
  'packages/server/src/paths/x402/x402-libraries.ts',
  'packages/server/src/people/passkey-libraries.ts',
  'packages/mcp/src/mcp-libraries.ts',
]

/**
 * Bundles the libraries from the installed packages, which takes two seconds of CPU. Nothing is done
 * if the run before had the same packages.
 */
export async function bundleLibraries(): Promise<void> {
  const hash = createHash('sha256')
  for (const path of INPUTS) hash.update(await readFile(join(ROOT, path)))
  const inputs = hash.digest('hex')
  const madeFrom = join(FOLDER, 'made-from')
  if (existsSync(madeFrom) && (await readFile(madeFrom, 'utf8')) === inputs) return
  const script = join(ROOT, 'scripts/bundle-test-libraries.mjs')
  await promisify(execFile)(process.execPath, [script, FOLDER])
  await writeFile(madeFrom, inputs)
}
