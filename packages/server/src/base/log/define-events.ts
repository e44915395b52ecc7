export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One kind of line in the operator's log. */
export interface LogEvent {
  /** `<area>.<what_happened>`. Operators search and alert by it, so it is never renamed. */
  readonly code: string
  readonly level: LogLevel
  /** Says the event, then the next step. `{name}` is replaced by the field with that name. */
  readonly message: string
  readonly meaning: string
  /** The next step for the operator. */
  readonly action: string
}

/** Codes are unique over the whole catalogue, here and in all paths; a test checks that. */
export function defineEvents<Code extends string>(
  events: Readonly<Record<Code, Omit<LogEvent, 'code'>>>,
): Readonly<Record<Code, LogEvent>> {
  const entries = Object.entries<Omit<LogEvent, 'code'>>(events).map(([code, event]) => [
    code,
    { code, ...event },
  ])
  // The keys are those of the argument, but the type of `fromEntries` cannot express that.
  return Object.fromEntries(entries) as Record<Code, LogEvent>
}
