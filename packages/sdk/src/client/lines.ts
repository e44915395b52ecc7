import { ConnectionError } from './errors.ts'

/** Longer than any line of the gateway, so that no server can fill the memory. */
const LINE_LENGTH_MAX = 16_000_000
/** The gateway sends something at least every 15 s, so a stream that is silent for longer is dead. */
export const SILENCE_MS_MAX = 45_000

/**
 * Yields the values of a stream of JSON lines, each with its line. A proxy can turn a broken stream
 * into one that just ends, so a last line that is cut off is a broken stream too.
 */
export async function* readJsonLines<T>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly line: string; readonly value: T }> {
  for await (const line of readLines(body)) yield { line, value: parseJson(line) as T }
}

/** Parses a text of a stream. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConnectionError('The stream has a line that is not JSON.', {
      code: 'invalid_response',
      cause,
    })
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of readText(body)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > LINE_LENGTH_MAX) {
      throw new ConnectionError('The answer is too long.', {
        code: 'invalid_response',
      })
    }
  }
  if (rest !== '') throw brokenStream()
}

/**
 * Yields the text of a stream as it arrives. Throws a `network_error` if the stream breaks or stays
 * silent. The time counts only while the caller waits for the gateway.
 */
export async function* readText(
  body: ReadableStream<Uint8Array>,
  silenceMsMax = SILENCE_MS_MAX,
): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await withinLimit(reader.read(), silenceMsMax)
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // Ends the request if the caller stopped reading. The stream may have failed before.
    reader.cancel().catch(() => {})
  }
}

async function withinLimit<T>(read: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no data for ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([read, silence])
  } catch (cause) {
    throw brokenStream(cause)
  } finally {
    clearTimeout(timer)
  }
}

function brokenStream(cause?: unknown): ConnectionError {
  return new ConnectionError('The stream of the gateway broke off.', {
    code: 'network_error',
    cause,
  })
}
