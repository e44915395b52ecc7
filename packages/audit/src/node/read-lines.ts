import { isUtf8 } from 'node:buffer'
import type { TextLine } from '../verify/receipts.ts'

/** More than the largest record has. A file without line breaks must not fill the memory. */
export const LINE_BYTES_MAX = 4 * 1024 * 1024

const LINE_BREAK = 0x0a

/**
 * Yields the lines of a file, all lines of a chunk at once: one at a time would take as long as
 * verifying them. A line that is too long ends the reading.
 */
export async function* readLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<TextLine[]> {
  let number = 0
  let kept: Buffer[] = []
  let keptBytes = 0
  for await (const piece of pieces) {
    const lines: TextLine[] = []
    let begin = 0
    for (let end = piece.indexOf(LINE_BREAK); end >= 0; end = piece.indexOf(LINE_BREAK, begin)) {
      number += 1
      lines.push(toLine(number, [...kept, piece.subarray(begin, end)]))
      kept = []
      keptBytes = 0
      begin = end + 1
    }
    kept.push(piece.subarray(begin))
    keptBytes += piece.length - begin
    if (lines.length > 0) yield lines
    if (keptBytes > LINE_BYTES_MAX) {
      yield [{ number: number + 1, text: undefined }]
      return
    }
  }
  // Text after the last line break is a line too, unless it is empty.
  if (keptBytes > 0) yield [toLine(number + 1, kept)]
}

function toLine(number: number, parts: readonly Buffer[]): TextLine {
  const [only] = parts
  const bytes = parts.length === 1 && only ? only : Buffer.concat(parts)
  const isText = bytes.length <= LINE_BYTES_MAX && isUtf8(bytes)
  return { number, text: isText ? bytes.toString('utf8') : undefined }
}
