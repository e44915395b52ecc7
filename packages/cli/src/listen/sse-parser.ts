export interface SseMessage {
  /** The last id that the stream gave, with this message or before it; empty if there is none. */
  readonly id: string
  readonly event: string
  readonly data: string
}

export interface SseParser {
  /**
   * Takes the next piece of the stream, wherever the network cut it, and returns complete messages.
   */
  push(text: string): SseMessage[]
  /** Where to go on once all messages are handled; a block without data moves it too. */
  readonly lastEventId: string
}

/** Far longer than any event: a stream of something else must not fill the memory. */
const MESSAGE_LENGTH_MAX = 1_000_000

/**
 * Reads server-sent events as the HTML standard defines them, except for `retry`: the caller
 * decides how long to wait. A message counts once its empty line has arrived. A message that is cut
 * off before that is never passed on; it comes again on the next connection, which begins with the
 * id to go on from.
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
      // A line that ends with a return counts at once; its line feed may come with the next piece.
      const piece = endedWithReturn && text.startsWith('\n') ? text.slice(1) : text
      endedWithReturn = text.endsWith('\r')
      const lines = (unfinishedLine + piece).split(/\r\n|\n|\r/)
      unfinishedLine = lines.pop() ?? ''
      const messages = lines.flatMap((line) => take(line) ?? [])
      if (unfinishedLine.length + block.length > MESSAGE_LENGTH_MAX) {
        throw new Error('The gateway sent something that is too long to be an event.')
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

/** A comment begins with a colon: it is a field without a name and means nothing. */
function readField(block: Block, line: string): void {
  const colon = line.indexOf(':')
  const name = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
  block.length += line.length
  if (name === 'data') block.data.push(value)
  if (name === 'event') block.event = value
  if (name === 'id' && !value.includes('\0')) block.id = value
}
