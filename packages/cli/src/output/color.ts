const CODES = { green: 32, red: 31, yellow: 33, dim: 2, bold: 1 } as const

export type Color = keyof typeof CODES

/** Colours a text, if standard output is a terminal that shows colours (no-color.org). */
export function paint(text: string, color: Color | undefined): string {
  if (color === undefined || !showsColors()) return text
  return `\u001b[${CODES[color]}m${text}\u001b[0m`
}

function showsColors(): boolean {
  const { NO_COLOR, TERM } = process.env
  return process.stdout.isTTY === true && !NO_COLOR && TERM !== 'dumb'
}

const GOOD = /^(approved|active|settled|delivered|pass|ok|used)$/
const BAD = /^(rejected|failed|fail|revoked|suspended|exhausted|frozen)$/
const OPEN = /^(pending|held|reserved|warn|warning|draft|retrying|paused)$/

/** The colour of a status of the API. */
export function colorOf(status: string): Color | undefined {
  if (GOOD.test(status)) return 'green'
  if (BAD.test(status)) return 'red'
  return OPEN.test(status) ? 'yellow' : undefined
}
