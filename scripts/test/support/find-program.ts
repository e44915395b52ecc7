import { spawnSync } from 'node:child_process'

/**
 * Finds a program of Debian. Undefined if the machine does not have it, unless PURSER_REQUIRE_DEPLOY
 * demands it.
 */
export function findProgram(name: string): string | undefined {
  const { error } = spawnSync(name, ['--version'])
  if (error === undefined) return name
  if (process.env['PURSER_REQUIRE_DEPLOY'] === '1') throw new Error(`${name} is not installed.`)
  console.log(`${name} is not installed, so its tests are skipped.`)
  return undefined
}
