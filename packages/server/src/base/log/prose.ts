import type { DestinationStream } from 'pino'

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
/** Fields that every line has, and fields that are shown in their own way. */
const SHOWN_APART = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'event'])
/** At lower levels, the message says enough. */
const WITH_EVENT_FROM = 40
const VALUE_MAX = 300

/** Writes each line of the log for a person at a terminal. */
export function createProse(write: (text: string) => void): DestinationStream {
  return { write: (line) => write(`${toProse(line)}\n`) }
}

/**
 * Formats one line: the local time, the message, the reason, the names, and for warnings and errors
 * the event to look up in docs/log-events.md. At the levels debug and trace the stack follows.
 */
export function toProse(line: string): string {
  const fields: Readonly<Record<string, unknown>> = JSON.parse(line)
  const { level, time, msg, err, event } = fields
  const at = new Date(Number(time)).toTimeString().slice(0, 8)
  const { message, stack } = toReason(err)
  const named = Object.entries(fields)
    .filter(([name]) => !SHOWN_APART.has(name))
    .map(([name, value]) => `${name}=${toValue(value)}`)
  const code = Number(level) >= WITH_EVENT_FROM && event !== undefined ? [`[${event}]`] : []
  const parts = [printable(String(msg ?? '')), ...message, ...named, ...code]
  const label = (LEVELS[Number(level)] ?? '').padEnd(5)
  return [`${at} ${label} ${parts.join('  ')}`, ...stack].join('\n')
}

function toReason(err: unknown): { readonly message: string[]; readonly stack: string[] } {
  if (typeof err !== 'object' || err === null) return { message: [], stack: [] }
  const message = 'message' in err ? [`(${printable(String(err.message))})`] : []
  const stack = 'stack' in err ? String(err.stack).split('\n').slice(1) : []
  return { message, stack: stack.map((call) => `    ${printable(call.trim())}`) }
}

function toValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const short = text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX)}…`
  return printable(/\s/.test(short) && typeof value === 'string' ? JSON.stringify(short) : short)
}

/** Text from outside must not move the cursor of a terminal, nor start a new line. */
function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`,
  )
}
