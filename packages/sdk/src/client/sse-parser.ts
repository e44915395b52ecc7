import { ConnectionError } from './errors.ts'

export interface SseMessage {
  /** The latest id of the stream, from this message or an earlier one. Empty if there is none. */
  readonly id: string
  readonly event: string
  readonly data: string
}

export interface SseParser {
  /**
   * Parses the next chunk of the stream, however the network split it, and returns complete
   * messages.
   */
  push(text: string): SseMessage[]
  /** The id to resume from once all messages are handled. A block without data changes it too. */
  readonly lastEventId: string
}

/** Far longer than any event, so that a different kind of stream cannot fill the memory. */
const MESSAGE_LENGTH_MAX = 1_000_000

/**
 * Parses server-sent events as the HTML standard defines them, except for `retry`: the caller
 * decides how long to wait. A message counts once its empty line has arrived. A message that is cut
 * off before that is never passed on. It comes again on the next connection, which starts from the
 * last id.
 */
export function createSseParser(beginsAfter = ''): SseParser {
  let lastEventId = beginsAfter
  let block = emptyBlock()
  let unfinishedLine = ''
  let endedWithReturn = false

  function take(line: string): SseMessage | undefined {
    if (line !== '') {
      readField(block, line)
      return undefined
    }
    const { id, event, data } = block
    block = emptyBlock()
    lastEventId = id ?? lastEventId
    if (data.length === 0) return undefined
    return { id: lastEventId, event: event === '' ? 'message' : event, data: data.join('\n') }
  }

  return {
    push(text) {
      if (text === '') return []
      // A line that ends with a carriage return counts at once. Its line feed may come with the
      // next chunk.
      const piece = endedWithReturn && text.startsWith('\n') ? text.slice(1) : text
      endedWithReturn = text.endsWith('\r')
      const lines = (unfinishedLine + piece).split(/\r\n|\n|\r/)
      unfinishedLine = lines.pop() ?? ''
      const messages = lines.flatMap((line) => take(line) ?? [])
      if (unfinishedLine.length + block.length > MESSAGE_LENGTH_MAX) {
        throw new ConnectionError('The answer is too long.', {
          code: 'invalid_response',
        })
      }
      return messages
    },
    get lastEventId() {
      return lastEventId
    },
  }
}

interface Block {
  id: string | undefined
  event: string
  readonly data: string[]
  length: number
}

function emptyBlock(): Block {
  return { id: undefined, event: '', data: [], length: 0 }
}

/**
 * Parses a field. A comment begins with a colon, so it is a field without a name and has no effect.
 */
function readField(block: Block, line: string): void {
  const colon = line.indexOf(':')
  const name = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
  block.length += line.length
  if (name === 'data') block.data.push(value)
  if (name === 'event') block.event = value
  if (name === 'id' && !value.includes('\0')) block.id = value
}
