import { fileURLToPath } from 'node:url'

/** The setting that turns the clock of a process, in milliseconds ahead of the real one. */
export const TURNED_CLOCK = 'TURNED_CLOCK_MS'

/** The parameters of `node` that set the clock of a process with this environment. */
export function clockParameters(env: Readonly<Record<string, string | undefined>>): string[] {
  if (env[TURNED_CLOCK] === undefined) return []
  return ['--import', fileURLToPath(new URL('./turned-clock.mjs', import.meta.url))]
}
