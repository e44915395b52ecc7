import { type Logger, pino } from 'pino'

type Line = Readonly<Record<string, unknown>>

/** The log lines of a gateway: warnings and errors, unless a different level is set. */
export interface RecordedLog {
  readonly log: Logger
  readonly lines: readonly Line[]
}

export function recordLog(level: 'info' | 'warn' = 'warn'): RecordedLog {
  const lines: Line[] = []
  const write = (line: string): void => {
    lines.push(JSON.parse(line))
  }
  return { log: pino({ level }, { write }), lines }
}
