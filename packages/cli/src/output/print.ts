/** Writes lines to standard output. */
export function print(lines: string | readonly string[]): void {
  const all = typeof lines === 'string' ? [lines] : lines
  if (all.length > 0) process.stdout.write(`${all.join('\n')}\n`)
}

/** Writes an answer of the API as it came, on one line. */
export function printJson(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

/** Writes to standard error, because standard output has only the answer. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}
