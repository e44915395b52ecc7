import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { LOG_EVENTS } from './events/index.ts'
import { createProse } from './prose.ts'
import { createRepeats } from './repeats.ts'

interface LogSettings {
  readonly level: string
  /** Whether a person reads the log while it is written. */
  readonly isProse: boolean
  /** Called with each event of the levels warn, error and fatal. Absent unless metrics are on. */
  readonly onEvent?: ((event: string, level: string) => void) | undefined
}

export interface WrittenLog {
  readonly log: Logger
  /** Writes the counts of repeated lines that are still pending. */
  stop(): Promise<void>
}

const WINDOW_MS = 30_000
const WARN = 40
const FRAMEWORK = LOG_EVENTS['http.framework'].code

/**
 * The log of the process. Each error is one line without a stack, and repeated errors are counted.
 * At the levels debug and trace everything is written, with stacks.
 */
export function createLog(
  { level, isProse, onEvent }: LogSettings,
  destination: DestinationStream = isProse ? toTerminal() : pino.destination({ sync: true }),
): WrittenLog {
  const isThorough = level === 'debug' || level === 'trace'
  const repeats = createRepeats(WINDOW_MS)

  function writeOnce(this: Logger, args: Parameters<LogFn>, write: LogFn, at: number): void {
    const [fields, message] = args
    if (onEvent && at >= WARN) onEvent(eventOf(fields), pino.levels.labels[at] ?? '')
    if (isThorough || !hasError(fields)) {
      write.apply(this, args)
      return
    }
    const named = namesOf(fields)
    if (isTold(fields.err) && named.every(([name]) => name === 'organizationId')) return
    const line = {
      key: JSON.stringify([at, message, messageOf(fields.err), named]),
      write: (repeated: number) => write.apply(this, [{ ...fields, repeated }, message]),
    }
    if (!repeats.count(line)) write.apply(this, args)
  }

  const options = {
    level,
    // Our own lines have an event; Fastify writes the others. Pino changes the object it gets here.
    mixin: (fields: object) => ('event' in fields ? {} : { event: FRAMEWORK }),
    serializers: { err: (error: unknown) => toErrorFields(error, isThorough) },
    hooks: { logMethod: writeOnce },
  }
  return { log: pino(options, destination), stop: async () => repeats.tell() }
}

function toTerminal(): DestinationStream {
  return createProse((text) => process.stdout.write(text))
}

function eventOf(fields: unknown): string {
  const event: unknown =
    typeof fields === 'object' && fields !== null ? Reflect.get(fields, 'event') : undefined
  return typeof event === 'string' ? event : FRAMEWORK
}

function hasError(fields: unknown): fields is { readonly err: unknown } {
  return typeof fields === 'object' && fields !== null && 'err' in fields
}

/** Each request has its own id, and many fail for the same reason. */
const ABOUT_THE_ERROR = new Set([
  'event',
  'err',
  'requestId',
  'clientRequestId',
  'problem',
  'detail',
])

/** The fields that say what the line is about, such as a transaction. */
function namesOf(fields: object): [string, unknown][] {
  return Object.entries(fields).filter(([name]) => !ABOUT_THE_ERROR.has(name))
}

/**
 * The monitor of the failed part logs a failure once. Lines that only follow from it are left out,
 * unless they name something that the operator may have to check, such as a transaction.
 */
function isTold(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'isTold') === true
}

/** Longer messages contain a statement or a body, and their beginning says what they are about. */
const MESSAGE_MAX = 500
const CAUSES_MAX = 3

/**
 * The fields of an error that are logged. Driver errors carry their client, and URL errors the
 * whole address. So only these fields are copied, which keeps secrets out of the log.
 */
function toErrorFields(error: unknown, withStack: boolean): object {
  if (!(error instanceof Error)) return { message: clip(String(error)) }
  const code = codeOf(error)
  return {
    type: error.name,
    message: messageOf(error),
    ...(code !== undefined && { code }),
    ...(withStack && { stack: error.stack }),
  }
}

/** The message with those of its causes, because the first often only says what was tried. */
function messageOf(error: unknown): string {
  const messages: string[] = []
  let current = error
  while (current instanceof Error && messages.length < CAUSES_MAX) {
    messages.push(current.message || (codeOf(current) ?? current.name))
    current = current.cause
  }
  return clip(messages.join(': ') || String(error))
}

function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : undefined
}

function clip(text: string): string {
  return text.length <= MESSAGE_MAX ? text : `${text.slice(0, MESSAGE_MAX)}…`
}
