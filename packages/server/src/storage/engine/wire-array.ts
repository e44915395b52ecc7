/**
 * Cheap arrays as parameters. The driver would quote and escape every element, and Postgres would
 * undo it again. For texts such as JSON, which is full of quotes, that is most of the cost of
 * storing a batch. These functions use an unescaped form, and refuse elements that it cannot hold: one
 * with a separator would be read as two, and every later element would belong to the wrong row.
 */

const SEPARATOR = '\u001e'
const NULL_TEXT = '\u001f'
/** Characters besides the comma that have a meaning in the text of an array. */
const SYNTAX = ['{', '}', '"', '\\']

/** An array of elements without a comma, brace, quote or backslash: ids, numbers, instants. */
export function plainArray(values: readonly (string | bigint | number | null)[]): string {
  const joined = values.map((value) => value ?? 'NULL').join(',')
  // Searches of the whole text cost less than a search of each element.
  if (countOf(',', joined) >= Math.max(values.length, 1)) throw separatorFound()
  for (const character of SYNTAX) if (joined.indexOf(character) !== -1) throw separatorFound()
  return `{${joined}}`
}

/**
 * An array of any texts without the control characters U+001E and U+001F, which strict JSON refuses
 * and JSON.stringify escapes. Read it with `texts($n)`.
 */
export function textArray(values: readonly (string | null)[]): string {
  return values
    .map((value) => (value ? withoutSeparator(value) : (value ?? NULL_TEXT)))
    .join(SEPARATOR)
}

/**
 * The SQL that reads a textArray. A single empty text would read as no text, so no column here may
 * hold one.
 */
export function texts(parameter: string): string {
  return `string_to_array(${parameter}, chr(30), chr(31))`
}

/**
 * The SQL that reads a plainArray which is an element of a textArray. A cast to an array would do the
 * same, but a distributed store refuses it in an update, because PostgreSQL calls it stable and not
 * immutable (ADR 64).
 */
export function plainTexts(column: string): string {
  return `string_to_array(btrim(${column}, '{}'), ',')`
}

function withoutSeparator(text: string): string {
  if (text.indexOf(SEPARATOR) !== -1 || text === NULL_TEXT) throw separatorFound()
  return text
}

function countOf(character: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1
  return count
}

/** A defect of the calling code. The message omits the element, since it may be secret. */
function separatorFound(): Error {
  return new Error('An element of an array parameter contains a separator.')
}
