import { fileURLToPath } from 'node:url'

/** The setting for a process whose machine appears to sleep when a request says so. */
export const SLEEPING_CLOCK = 'SLEEPING_CLOCK'

/** The header that says for how many milliseconds the machine slept before this request. */
export const SLEPT_MS = 'test-sleep'

/** The parameters of `node` for a process with this environment. */
export function sleepParameters(env: Readonly<Record<string, string | undefined>>): string[] {
  if (env[SLEEPING_CLOCK] === undefined) return []
  return ['--import', fileURLToPath(new URL('./sleeping-clock.mjs', import.meta.url))]
}
