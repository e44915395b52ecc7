import { type Logger, pino } from 'pino'

type Line = Readonly<Record<string, unknown>>

/** What a gateway writes to its log, from warnings on. */
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
