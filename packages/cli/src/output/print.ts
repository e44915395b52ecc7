import { plainLines, toJson } from './plain.ts'

/** Writes lines to standard output. */
export function print(lines: string | readonly string[]): void {
  const all = typeof lines === 'string' ? [lines] : lines
  if (all.length > 0) process.stdout.write(`${all.join('\n')}\n`)
}

/** Writes an answer of the API on one line. */
export function printJson(answer: unknown): void {
  process.stdout.write(`${toJson(answer)}\n`)
}

/**
 * Writes to standard error, because standard output has only the answer. The texts quote files,
 * answers and names, so control characters are replaced.
 */
export function tell(text: string): void {
  process.stderr.write(`${plainLines(text)}\n`)
}
