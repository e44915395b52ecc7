/**
 * Counts words and phrases that make our English hard to read (CONTRIBUTING.md, Plain English).
 *
 * - Headless "what": a "what" that stands for a noun ("what is past its time"). A sentence that
 *   ends with a question mark is a question and does not count. Neither does "what" after a
 *   determiner ("the what"), or before "to" or "if" ("says what to do").
 * - Persons for processes: whoever, whomever, nobody, somebody.
 *
 * Code in backticks counts as one word. Text in double quotes is left out: it is
 * an example or the words of others.
 * A heading, a table cell and a list item each end a sentence.
 */
export interface Figures {
  words: number
  whats: number
  persons: number
}

export interface Hit {
  readonly kind: 'what' | 'person'
  /** Line within the text, from 1. */
  readonly line: number
  readonly sentence: string
}

export interface Counted extends Figures {
  readonly hits: readonly Hit[]
}

const WORD = /[A-Za-z][A-Za-z'’-]*/g
const WHAT = /\bwhat\b(?!\s+(?:to|if)\b)/gi
const DETERMINER = /\b(?:the|a|an|this|that|these|those|no)\s+$/i
const PERSON = /\b(?:whoever|whomever|nobody|somebody)\b/gi
/** A sentence ends with a stop and a space, and before a heading, a list item or a table cell. */
const SENTENCE_END = /(?<=[.?!])["”)*_]*\s+|\n\s*\n|\n(?=\s*(?:#|[-*] |\d+\. |\|))|(?<!\\)\|/g

export function countEnglish(text: string): Counted {
  const prose = toProse(text)
  const hits: Hit[] = []
  let start = 0
  for (const end of [...prose.matchAll(SENTENCE_END), undefined]) {
    const sentence = prose.slice(start, end?.index)
    hits.push(...findHits(sentence, lineAt(prose, start)))
    if (end !== undefined) start = end.index + end[0].length
  }
  return {
    words: prose.match(WORD)?.length ?? 0,
    whats: hits.filter(({ kind }) => kind === 'what').length,
    persons: hits.filter(({ kind }) => kind === 'person').length,
    hits,
  }
}

/** Replaces code, quotations and addresses, and keeps the number of lines. */
function toProse(text: string): string {
  return text
    .replace(/`[^`]*`/g, (code) => `code${newlinesOf(code)}`)
    .replace(/\]\([^)\s]*\)/g, ']')
    .replace(/"[^"]{1,300}"|“[^”]{1,300}”/g, newlinesOf)
    .replace(/\bhttps?:\/\/\S+/g, '')
}

function newlinesOf(text: string): string {
  return text.replace(/[^\n]/g, '')
}

function findHits(sentence: string, firstLine: number): Hit[] {
  const isQuestion = /\?["”)*_]*\s*$/.test(sentence)
  const whats = [...sentence.matchAll(WHAT)].filter(
    ({ index }) => !isQuestion && !DETERMINER.test(sentence.slice(0, index)),
  )
  const toHit = (kind: Hit['kind'], index: number): Hit => ({
    kind,
    line: firstLine + newlinesOf(sentence.slice(0, index)).length,
    sentence: sentence.replace(/\s+/g, ' ').trim(),
  })
  return [
    ...whats.map(({ index }) => toHit('what', index)),
    ...[...sentence.matchAll(PERSON)].map(({ index }) => toHit('person', index)),
  ]
}

function lineAt(text: string, index: number): number {
  return newlinesOf(text.slice(0, index)).length + 1
}
