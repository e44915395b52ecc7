import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { LOG_EVENTS } from './events/index.ts'
import { createProse } from './prose.ts'
import { createRepeats } from './repeats.ts'

interface LogSettings {
  readonly level: string
  /** Whether a person reads it as it is written. */
  readonly isProse: boolean
}

export interface WrittenLog {
  readonly log: Logger
  /** Tells what was only counted until now. */
  stop(): Promise<void>
}

const WINDOW_MS = 30_000
const FRAMEWORK = LOG_EVENTS['http.framework'].code

/**
 * The log of the process. Errors are one line each without a stack, and those that say the same are
 * counted. At the levels for finding defects everything is written, with stacks.
 */
export function createLog(
  { level, isProse }: LogSettings,
  destination: DestinationStream = isProse ? toTerminal() : pino.destination({ sync: true }),
): WrittenLog {
  const isThorough = level === 'debug' || level === 'trace'
  const repeats = createRepeats(WINDOW_MS)

  function writeOnce(this: Logger, args: Parameters<LogFn>, write: LogFn, at: number): void {
    const [fields, message] = args
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

function hasError(fields: unknown): fields is { readonly err: unknown } {
  return typeof fields === 'object' && fields !== null && 'err' in fields
}

/** Each request has its own id, and many fail for the same reason. */
const ABOUT_THE_ERROR = new Set(['event', 'err', 'requestId', 'problem', 'detail'])

/** The fields that say what the line is about, such as a transaction. */
function namesOf(fields: object): [string, unknown][] {
  return Object.entries(fields).filter(([name]) => !ABOUT_THE_ERROR.has(name))
}

/**
 * Whoever watches what has failed tells of it, once. Lines that only follow from it are left out,
 * unless they name something that somebody may have to look after, such as a transaction.
 */
function isTold(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'isTold') === true
}

/** Longer ones hold a statement or a body, and the beginning says what it is about. */
const MESSAGE_MAX = 500
const CAUSES_MAX = 3

/**
 * What the log says of an error. Errors of drivers carry their client, and those of URLs the whole
 * address, so only these fields are taken: secrets cannot come along with the others.
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
