import type { FieldError } from '../base/errors.ts'

/** The form of a category in lower case: `llm`, `search`, `mcc:5734`. */
const CATEGORY = /^[a-z0-9][a-z0-9_.:-]{0,63}$/

/** The normal form of a category, or undefined when the text cannot be one. */
export function toCategory(text: string): string | undefined {
  const category = text.toLowerCase()
  return CATEGORY.test(category) ? category : undefined
}

/** The error for a field `category` that is not a category. */
export const BAD_CATEGORY: FieldError = {
  path: '/category',
  code: 'format',
  message: 'must be letters, digits and the characters _ . : - such as llm or team:search',
}
