import { parseStrictJson } from '../../base/strict-json.ts'
import { boundEntries } from './bound-entries.ts'

/** Parses a body, at once if it is small. */
export type ParseBody = (body: Buffer, done: (error: Error | null, value?: unknown) => void) => void

/** Parsing this much takes about a millisecond at worst. */
const SMALL_BYTES_MAX = 16_384

/**
 * A large body takes up to 30 ms to parse, and a client may have hundreds of them arrive together.
 * So only one is parsed in each turn of the event loop, and other requests get their turn in
 * between.
 */
export function createParseBody(): ParseBody {
  const waiting: (() => void)[] = []

  function next(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }

  return (body, done) => {
    if (body.length <= SMALL_BYTES_MAX) {
      parse(body, done)
      return
    }
    if (waiting.push(() => parse(body, done)) === 1) setImmediate(next)
  }
}

function parse(body: Buffer, done: Parameters<ParseBody>[1]): void {
  let value: unknown
  try {
    boundEntries(body)
    value = parseStrictJson(body)
  } catch (error) {
    done(error as Error)
    return
  }
  done(null, value)
}
