import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { vi } from 'vitest'

/** It waits up to 8 s between its own tries while a gateway restarts. */
const WITHIN_MS = 25_000
const MAIN = resolve(import.meta.dirname, '../../src/main.ts')

export interface Listener {
  /** Standard output: one line per delivery. */
  readonly lines: readonly string[]
  /** What it tells beside, on standard error. */
  readonly told: readonly string[]
  /** Waits for words on standard error. */
  heard(words: string): Promise<void>
  /** As Ctrl-C does it; gives the exit code. */
  interrupt(): Promise<number | null>
  exited(): Promise<number | null>
}

/** Runs `purser listen` in a process of its own, without any setting of the surroundings. */
export function startListener(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Listener {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=source', MAIN, 'listen', ...args],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  running.add(child)
  const lines: string[] = []
  const told: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => told.push(line))
  const closed = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return {
    lines,
    told,
    async heard(words) {
      const isTold = (): boolean => told.some((line) => line.includes(words))
      await vi.waitUntil(isTold, { timeout: WITHIN_MS })
    },
    interrupt() {
      child.kill('SIGINT')
      return closed
    },
    exited: () => closed,
  }
}

const running = new Set<ChildProcess>()

/** For the end of a test, also of one that failed. */
export function killListeners(): void {
  for (const child of running) child.kill('SIGKILL')
}
