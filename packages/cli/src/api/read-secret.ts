const BYTES_MAX = 4_096
/** Ctrl-C; then the keys that end the input, with Ctrl-D, and the two codes of the backspace key. */
const INTERRUPT = '\u0003'
const ENTER = ['\r', '\n', '\u0004']
const BACKSPACE = ['\u0008', '\u007f']

/**
 * Reads a secret from standard input: from a pipe as its first line, from a terminal without
 * showing it. A secret in the arguments would be in the history of the shell and in `ps`.
 */
export async function readSecret(question: string): Promise<string> {
  const { stdin } = process
  const text = stdin.isTTY ? await ask(question, stdin) : await readFirstLine(stdin)
  return text.trim()
}

async function readFirstLine(stdin: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const piece of stdin) {
    text += String(piece)
    if (text.includes('\n') || text.length > BYTES_MAX) break
  }
  const [line = ''] = text.split('\n')
  return line.slice(0, BYTES_MAX)
}

function ask(question: string, stdin: NodeJS.ReadStream): Promise<string> {
  process.stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  return new Promise<string>((resolve, reject) => {
    let typed: Typed = { text: '', end: undefined }
    const read = (piece: string): void => {
      for (const character of piece) typed = type(typed, character)
      if (typed.end === undefined) return
      stdin.off('data', read)
      stdin.setRawMode(false)
      stdin.pause()
      process.stderr.write('\n')
      if (typed.end === 'entered') resolve(typed.text)
      else reject(new Error('Interrupted. Nothing was stored.'))
    }
    stdin.on('data', read)
    stdin.resume()
  })
}

interface Typed {
  readonly text: string
  readonly end: 'entered' | 'interrupted' | undefined
}

function type(typed: Typed, character: string): Typed {
  if (typed.end !== undefined) return typed
  if (ENTER.includes(character)) return { ...typed, end: 'entered' }
  if (character === INTERRUPT) return { ...typed, end: 'interrupted' }
  const text = BACKSPACE.includes(character) ? typed.text.slice(0, -1) : typed.text + character
  return { text: text.slice(0, BYTES_MAX), end: undefined }
}
