import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Builds the console if its sources changed since the last build. */
export function setup(): void {
  const script = join(import.meta.dirname, '../../scripts/build.mjs')
  const { status } = spawnSync(process.execPath, [script, 'console'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The console could not be built.')
}
