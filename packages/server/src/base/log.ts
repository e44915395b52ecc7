declare const isDeclared: unique symbol

/** The message of a declared event. Only `logEvent` makes one, so no other line compiles. */
export type LogMessage = string & { readonly [isDeclared]: true }

/** The operator's log, as the parts of the server use it. A pino logger satisfies it. */
export interface Log {
  debug(fields: object, message: LogMessage): void
  info(fields: object, message: LogMessage): void
  warn(fields: object, message: LogMessage): void
  error(fields: object, message: LogMessage): void
}
