import { Readable } from 'node:stream'
import { runCommandLine } from '../../src/run.ts'

/** What a command wrote, line by line, and how it ended. */
export interface Ended {
  /** Standard output. */
  readonly lines: readonly string[]
  /** Standard error. */
  readonly told: readonly string[]
  exited(): Promise<number>
}

/**
 * Runs a `purser` command in the process of the test, with no setting but these. A process costs a
 * second of CPU, so each command has one test with a process (`startPurser`), and the rest come here.
 */
export async function callPurser(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  {
    stdin = '',
    terminal = false,
  }: { readonly stdin?: string | AsyncIterable<string>; readonly terminal?: boolean } = {},
): Promise<Ended> {
  const outer = process.env
  const { stdin: outerStdin } = process
  const input = Object.assign(Readable.from(typeof stdin === 'string' ? [stdin] : stdin), {
    isTTY: terminal,
  })
  Object.defineProperty(process, 'stdin', { value: input, configurable: true })
  const { isTTY } = process.stderr
  if (terminal) process.stderr.isTTY = true
  const restore = [capture(process.stdout), capture(process.stderr)]
  process.env = { ...env }
  try {
    const code = await runCommandLine(['node', 'purser', ...args])
    const [lines = [], told = []] = restore.map(({ text }) => toLines(text()))
    return { lines, told, exited: async () => code }
  } finally {
    process.env = outer
    process.stderr.isTTY = isTTY
    Object.defineProperty(process, 'stdin', { value: outerStdin, configurable: true })
    for (const { end } of restore) end()
  }
}

function capture(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  const { write } = stream
  const chunks: string[] = []
  stream.write = (chunk: string | Uint8Array): boolean => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    return true
  }
  return {
    text: () => chunks.join(''),
    end: () => {
      stream.write = write
    },
  }
}

function toLines(text: string): string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
