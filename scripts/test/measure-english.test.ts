import { describe, expect, test } from 'vitest'
import { countEnglish } from '../english/count.ts'
import { findLongLines, listOpenApiTexts, toComments, toMarkdownProse } from '../english/texts.ts'

describe('countEnglish', () => {
  test.each([
    ['The sweeper removes what is past its time.', 1],
    ['What an issuer means is no news. What cannot be read may cost money.', 2],
    ['What does it cost?', 0],
    ['The page says what to do.', 0],
    ['A rule names the what and the why.', 0],
    ['The option `what` is code, and "what is told" is a quotation.', 0],
    ['| Word | What |', 1],
    ['## Why?\n\nWhat is left is removed.', 1],
  ])('%s has so many headless whats: %i', (text, whats) => {
    expect(countEnglish(text).whats).toBe(whats)
  })

  test('counts persons that stand for processes', () => {
    const { persons } = countEnglish('Nobody waits. Whoever is late asks somebody. A person signs.')
    expect(persons).toBe(3)
  })

  test('names the line of each sentence, and counts code as one word', () => {
    const { words, hits } = countEnglish('One `a b c`\ntwo.\nThen\nwhat follows.')
    expect(words).toBe(6)
    expect(hits).toEqual([{ kind: 'what', line: 4, sentence: 'Then what follows.' }])
  })
})

describe('texts', () => {
  test('Markdown is read without its code blocks, and with its nested lists', () => {
    const markdown = 'A\n\n    code\n\n- list\n\n    - nested\n\n```sh\nwhat\n```\nB'
    expect(toMarkdownProse(markdown)).toBe('A\n\n\n\n- list\n\n    - nested\n\n\n\n\nB')
  })

  test('comments are found on their lines, and an address in a string is none', () => {
    const source = "const a = 'http://b'\n// one\nf() // two\n/**\n * three\n */\n"
    const lines = toComments(source).split('\n')
    expect(lines.map((line) => line.trim())).toEqual(['', 'one', 'two', '', 'three', ''])
  })

  test('OpenAPI texts are titles, summaries and descriptions, and no examples', () => {
    const document = {
      info: { title: 'T' },
      paths: { '/a': { summary: 'S', example: { description: 'no' } } },
      properties: { title: { description: 'D' } },
    }
    expect(listOpenApiTexts(document)).toEqual([
      ['/info/title', 'T'],
      ['/paths/~1a/summary', 'S'],
      ['/properties/title/description', 'D'],
    ])
  })

  test('a long line counts unless it is code, a table, an address or generated', () => {
    const long = 'word '.repeat(21)
    const address = `https://example.com/${'a'.repeat(100)}`
    expect(findLongLines(`${long}\n| ${long} |\n\n    ${long}\n\n${address}\n- ${long}`)).toEqual([
      1, 7,
    ])
    expect(findLongLines(`# Limits\n\nGenerated from the code.\n\n${long}`)).toEqual([])
  })
})
