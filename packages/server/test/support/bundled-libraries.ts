import { execFile } from 'node:child_process'
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

/** Bundles the libraries from the installed packages. It takes a second. */
export async function bundleLibraries(): Promise<void> {
  const script = join(ROOT, 'scripts/bundle-test-libraries.mjs')
  await promisify(execFile)(process.execPath, [script, FOLDER])
}
