import { ConnectionError } from './errors.ts'

/** Longer than any line of the gateway, so that another server cannot fill the memory. */
const LINE_LENGTH_MAX = 16_000_000
/** The gateway sends something at least every 15 s, so a stream that is silent for longer is dead. */
export const SILENCE_MS_MAX = 45_000

/** Yields the complete lines of a stream, without their ends. A line that is cut off is dropped. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of readText(body)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > LINE_LENGTH_MAX) {
      throw new ConnectionError('The answer has a line that is too long.', {
        code: 'invalid_response',
      })
    }
  }
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
    throw new ConnectionError('The stream of the gateway broke off.', {
      code: 'network_error',
      cause,
    })
  } finally {
    clearTimeout(timer)
  }
}
