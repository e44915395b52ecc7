import { type TSchema, Type } from 'typebox'

/** The limit of values in one parameter. */
const VALUES_MAX = 20

/**
 * A parameter that takes one value of the schema, or several with commas between. `item` is the source
 * of a regular expression for one value; it must not match a comma.
 */
export function several<Schema extends TSchema>(
  schema: Schema,
  item: string,
  { description, example }: { readonly description: string; readonly example: string },
) {
  const pattern = `^(?:${item})(?:,(?:${item})){1,${VALUES_MAX - 1}}$`
  const examples = [example.includes(',') ? example : `${example},${example}`]
  const list = Type.String({ pattern, examples })
  return Type.Union([schema, list], {
    examples: [example],
    description: `${description} Several values, at most ${VALUES_MAX}, are separated by commas.`,
  })
}

/** The same for a list of values. */
export function severalOf<Schema extends TSchema>(
  schema: Schema,
  values: readonly string[],
  description: string,
) {
  const item = values.map((value) => value.replaceAll('.', '\\.')).join('|')
  return several(schema, item, { description, example: values.slice(0, 2).join(',') })
}

/** The values of such a parameter, each once; undefined if it was not sent. */
export function valuesOf(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [...new Set(text.split(','))]
}

const PATTERN = /^\^\(\?:(.+)\)\(\?:,\(\?:\1\)\)\{1,\d+\}\$$/s

/** Whether a pattern is that of several values. */
export function isSeveral(pattern: string): boolean {
  return PATTERN.test(pattern)
}
