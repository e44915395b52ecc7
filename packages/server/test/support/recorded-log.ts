import { type Logger, pino } from 'pino'

type Line = Readonly<Record<string, unknown>>

/** The warnings and errors that a gateway writes to its log. */
export interface RecordedLog {
  readonly log: Logger
  readonly lines: readonly Line[]
}

export function recordLog(): RecordedLog {
  const lines: Line[] = []
  const write = (line: string): void => {
    lines.push(JSON.parse(line))
  }
  return { log: pino({ level: 'warn' }, { write }), lines }
}
