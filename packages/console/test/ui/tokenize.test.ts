import { describe, expect, it } from 'vitest'
import { type CodeLang, tokenize } from '../../src/ui/tokenize.ts'

const SAMPLES: Record<CodeLang, string> = {
  bash: `curl -s "$URL/api" \\\n  -d '{"a": "b"}' # one spend`,
  json: '{"decision": "approved", "left": 87.5, "rules": ["a"]}',
  ts: "import { a } from 'b' // why\nawait a(`x`)",
  env: '# key\nPURSER_API_KEY=sk_test_1=2',
  http: 'POST /api/v1/agents\nIdempotency-Key: abc',
  python: "from a import b # why\nprint('x')",
  text: 'anything "at" all',
}

describe('tokenizer', () => {
  it.each(Object.entries(SAMPLES) as [CodeLang, string][])('loses nothing of %s', (lang, code) => {
    expect(
      tokenize(code, lang)
        .map((token) => token.text)
        .join(''),
    ).toBe(code)
  })

  it('tells keys of JSON from strings', () => {
    const tokens = tokenize('{"a": "b"}', 'json')
    expect(tokens.filter(({ kind }) => kind === 'key').map(({ text }) => text)).toEqual(['"a"'])
    expect(tokens.filter(({ kind }) => kind === 'string').map(({ text }) => text)).toEqual(['"b"'])
  })

  it('finds options and strings of a command, also over two lines', () => {
    const tokens = tokenize("curl -d '{\n}' --fail", 'bash')
    expect(tokens.filter(({ kind }) => kind === 'key').map(({ text }) => text)).toEqual([
      'curl',
      '-d',
      '--fail',
    ])
    expect(tokens.find(({ kind }) => kind === 'string')?.text).toBe("'{\n}'")
  })

  it('begins no keyword in the middle of a word', () => {
    expect(tokenize('reasoning.format', 'ts')).toEqual([{ kind: 'text', text: 'reasoning.format' }])
    expect(tokenize('sub-d', 'bash').map(({ kind }) => kind)).not.toContain('string')
  })

  it('reads a quote that never ends as text', () => {
    expect(tokenize('say "hello', 'ts').every(({ kind }) => kind === 'text')).toBe(true)
  })
})
