/**
 * Cheap arrays as parameters. The driver would quote and escape every element, and Postgres would
 * undo it again. For texts such as JSON, which is full of quotes, that is most of the cost of
 * storing a batch. These functions use an unescaped form, which is safe because of what it cannot
 * contain.
 */

/** For elements that hold no comma, brace, quote or backslash: ids, numbers, instants. */
export function plainArray(values: readonly (string | bigint | number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}

/**
 * For any text without the control characters U+001E and U+001F, which strict JSON refuses and
 * JSON.stringify escapes. Read it with `texts($n)`.
 */
export function textArray(values: readonly (string | null)[]): string {
  return values.map((value) => value ?? NULL_TEXT).join(SEPARATOR)
}

const SEPARATOR = '\u001e'
const NULL_TEXT = '\u001f'

/**
 * The SQL that reads a textArray. A single empty text would read as no text, so no column here may
 * hold one.
 */
export function texts(parameter: string): string {
  return `string_to_array(${parameter}, chr(30), chr(31))`
}
