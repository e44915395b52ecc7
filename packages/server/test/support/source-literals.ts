/** A string or a template literal of the source. */
export interface Literal {
  /** The position of its first character. */
  readonly at: number
  readonly end: number
  readonly parts: readonly LiteralPart[]
}

/** The literal text, or the code between `${` and `}`. */
type LiteralPart = { readonly text: string } | { readonly code: string }

export interface ScannedSource {
  readonly literals: readonly Literal[]
  /**
   * The source without comments. Each literal is replaced by a backtick and blanks, so that
   * positions stay the same.
   */
  readonly code: string
}

const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|`/g

/** Finds the literals in TypeScript that has the formatter's style. */
export function scanSource(source: string): ScannedSource {
  const literals: Literal[] = []
  const token = new RegExp(TOKEN)
  let code = ''
  for (let found = token.exec(source); found; found = token.exec(source)) {
    const [text] = found
    const literal = literalAt(source, found.index, text)
    const end = literal?.end ?? found.index + text.length
    const blank = (literal ? '`' : ' ').padEnd(end - found.index)
    code = code + source.slice(code.length, found.index) + blank
    if (literal) literals.push(literal)
    token.lastIndex = end
  }
  return { literals, code: code + source.slice(code.length) }
}

function literalAt(source: string, at: number, token: string): Literal | undefined {
  if (token === '`') return templateAt(source, at)
  if (!token.startsWith("'")) return undefined
  return { at, end: at + token.length, parts: [{ text: token.slice(1, -1) }] }
}

function templateAt(source: string, at: number): Literal {
  const parts: LiteralPart[] = []
  let from = at + 1
  for (let place = from; ; place += 1) {
    if (source[place] === '\\') place += 1
    else if (source[place] === '`' || place >= source.length) {
      return { at, end: place + 1, parts: [...parts, { text: source.slice(from, place) }] }
    } else if (source.startsWith('${', place)) {
      const end = endOfCode(source, place + 2)
      parts.push({ text: source.slice(from, place) }, { code: source.slice(place + 2, end) })
      from = end + 1
      place = end
    }
  }
}

/** Returns the position of the `}` that closes a `${`. */
function endOfCode(source: string, from: number): number {
  let depth = 0
  for (let place = from; place < source.length; place += 1) {
    const character = source[place]
    if (character === '`') place = templateAt(source, place).end - 1
    else if (character === '{') depth += 1
    else if (character === '}' && depth === 0) return place
    else if (character === '}') depth -= 1
  }
  return source.length
}
