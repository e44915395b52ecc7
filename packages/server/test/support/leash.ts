import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

export type LeashedProcess = ChildProcessByStdio<null, Readable, Readable>

interface LeashOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly uid?: number
  readonly gid?: number
  /** The signal that ends it when this process is gone. */
  readonly lastSignal?: 'KILL' | 'QUIT'
}

/**
 * Starts a process that cannot outlive this one, whatever ends this one: the end of the test run, a
 * crash, SIGKILL. A test that fails or times out leaves nothing behind.
 *
 * The process itself does not watch, because a frozen or busy process could not, and Postgres would
 * not. A shell beside it waits on a pipe from here. The shell reads a line when the process has
 * ended, and the end of the pipe when this process has ended.
 */
export function spawnOnLeash(
  program: string,
  parameters: readonly string[],
  { lastSignal = 'KILL', ...options }: LeashOptions = {},
): LeashedProcess {
  const child = spawn(program, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid !== undefined) holdLeash(child, child.pid, lastSignal)
  return child
}

function holdLeash(child: LeashedProcess, pid: number, signal: string): void {
  const script = 'read -r ended || kill -s "$1" "$2"'
  const leash = spawn('/bin/sh', ['-c', script, 'leash', signal, String(pid)], {
    // The shell has its own session: otherwise Ctrl-C in a terminal would end it before it can do
    // its work.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  leash.unref()
  leash.stdin.on('error', () => {})
  child.once('exit', () => leash.stdin.end('ended\n'))
}
