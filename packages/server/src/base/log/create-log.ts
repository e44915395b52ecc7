import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { messageOf, toErrorFields } from './error-fields.ts'
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
