import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT, TSX } from './harness.ts'

/** A benchmark program in its own process, which carries out commands line by line. */
export interface Program {
  /** Sends a line and waits for the line that answers it. */
  ask(line: string): Promise<string>
  stop(): Promise<void>
}

/** Starts a file of `bench`; `task` is its first line. */
export function startProgram(file: string, task: object): Program {
  const parameters = ['--conditions=@purser/source', join(ROOT, 'bench', file)]
  const child = spawn(TSX, parameters, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  child.stdin.write(`${JSON.stringify(task)}\n`)
  return {
    async ask(line) {
      child.stdin.write(`${line}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`${file} ended when it was asked to ${line}.`)
      return value
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.stdin.end()
      child.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * The other side: creates the program from the first line, and answers the following ones. It ends
 * together with the process that sends the lines, whatever work is in progress.
 */
export async function answerLines<Task>(
  create: (task: Task) => (line: string) => Promise<object>,
): Promise<void> {
  let answer: ((line: string) => Promise<object>) | undefined
  for await (const line of createInterface({ input: process.stdin })) {
    if (answer) process.stdout.write(`${JSON.stringify(await answer(line))}\n`)
    else answer = create(JSON.parse(line))
  }
  process.exit()
}
