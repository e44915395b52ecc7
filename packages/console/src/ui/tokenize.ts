export type CodeLang = 'bash' | 'json' | 'ts' | 'env' | 'http' | 'python' | 'text'
export type TokenKind = 'text' | 'key' | 'string' | 'dim'
export interface Token {
  kind: TokenKind
  text: string
}

type Rule = readonly [kind: TokenKind, pattern: RegExp]

const DOUBLE = /"(?:[^"\\\n]|\\.)*"/y
const SINGLE = /'(?:[^'\\\n]|\\.)*'/y

/** The first rule that fits at a place wins. Every pattern is sticky. */
const RULES: Record<CodeLang, readonly Rule[]> = {
  json: [
    ['key', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/y],
    ['string', DOUBLE],
    ['dim', /[{}[\],:]+/y],
  ],
  bash: [
    ['dim', /#[^\n]*/y],
    ['string', DOUBLE],
    ['string', /'(?:[^'])*'/y],
    ['key', /--?[A-Za-z][\w-]*/y],
    ['key', /\b(?:curl|npx|npm|node|purser|export|printf|openssl)\b/y],
    ['dim', /\\(?=\n)/y],
  ],
  ts: [
    ['dim', /\/\/[^\n]*/y],
    ['string', DOUBLE],
    ['string', SINGLE],
    ['string', /`(?:[^`\\]|\\.)*`/y],
    [
      'key',
      /\b(?:import|from|export|const|await|async|new|return|if|else|for|of|function|throw)\b/y,
    ],
  ],
  python: [
    ['dim', /#[^\n]*/y],
    ['string', DOUBLE],
    ['string', SINGLE],
    ['key', /\b(?:import|from|def|return|if|else|for|in|with|as|raise|not|print)\b/y],
  ],
  env: [
    ['dim', /#[^\n]*/y],
    ['key', /\b[A-Z][A-Z0-9_]*(?==)/y],
    ['string', /(?<==)[^\n]+/y],
  ],
  http: [
    ['key', /\b(?:GET|POST|PATCH|PUT|DELETE)\b/y],
    ['key', /[A-Za-z][\w-]*(?=: )/y],
    ['string', /(?<=: )[^\n]+/y],
  ],
  text: [],
}

const WORD = /\w+/y

/** Splits code into pieces for colouring. The pieces together are always the code itself. */
export function tokenize(code: string, lang: CodeLang): Token[] {
  const rules = RULES[lang]
  const tokens: Token[] = []
  let place = 0
  while (place < code.length) {
    const token = tokenAt(code, place, rules)
    const last = tokens.at(-1)
    if (last?.kind === token.kind) last.text += token.text
    else tokens.push(token)
    place += token.text.length
  }
  return tokens
}

function tokenAt(code: string, place: number, rules: readonly Rule[]): Token {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = place
    const [text = ''] = pattern.exec(code) ?? []
    if (text !== '') return { kind, text }
  }
  // A whole word goes at once, so that a rule cannot begin in the middle of one.
  WORD.lastIndex = place
  const [word = code.charAt(place)] = WORD.exec(code) ?? []
  return { kind: 'text', text: word }
}
