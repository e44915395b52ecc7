import { createInterface } from 'node:readline/promises'

/** Asks a person at a terminal. Returns false without one. */
export async function confirm(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`${question} Type yes to go on: `)
    return answer.trim().toLowerCase() === 'yes'
  } finally {
    lines.close()
  }
}
