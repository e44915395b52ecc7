import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'

const run = promisify(execFile)

/** The text that the page's last "Copy" put into the clipboard. */
export function copiedText(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()')
}

/** Runs a snippet as a person who pastes it into a terminal, and returns its output. */
export async function runInShell(
  snippet: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await run('sh', ['-c', snippet.replace(/^curl /, 'curl -sS ')], {
    env: { ...process.env, ...env },
  })
  return stdout
}
