import { existsSync } from 'node:fs'

/** Debian's browser, then the names that other systems use. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Returns the path of the machine's Chromium. `PURSER_CHROMIUM` names a different one. Returns
 * undefined if there is none; with `PURSER_REQUIRE_BROWSER=1` that is a failure.
 */
export function findChromium(): string | undefined {
  const chosen = process.env['PURSER_CHROMIUM']
  const found = (chosen ? [chosen] : PLACES).find((path) => existsSync(path))
  if (found === undefined && process.env['PURSER_REQUIRE_BROWSER'] === '1') {
    throw new Error('No Chromium is on this machine, and PURSER_REQUIRE_BROWSER is set.')
  }
  return found
}
