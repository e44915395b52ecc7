import { createInterface } from 'node:readline/promises'

/** Whether a person can answer a question. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Asks a person. Only `yes` agrees; Enter and Ctrl-D do not. */
export async function confirm(question: string): Promise<boolean> {
  // Standard output has only the answer of the command.
  const { stdin: input, stderr: output } = process
  const lines = createInterface({ input, output, terminal: false })
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(`${question} Type yes to agree: `), closed])
    return answer.trim().toLowerCase() === 'yes'
  } finally {
    lines.close()
  }
}
