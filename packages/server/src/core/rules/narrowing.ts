import type { FieldError } from '../../base/errors.ts'

// The shared messages of the rules for a child mandate that is wider than its parent.

/**
 * The error for a child mandate that allows more than its parent; `allowed` says what the parent
 * allows.
 */
export function widerThanParent(path: string, allowed: string): FieldError {
  return {
    path,
    code: 'wider_than_parent',
    message: `is wider than the parent mandate, which allows ${allowed}`,
  }
}

/**
 * Compares one number with the lowest one that the parent states. A child that states no number
 * inherits it.
 */
export function aboveParent(
  path: string,
  own: number | undefined,
  stated: readonly (number | undefined)[],
): FieldError[] {
  const lowest = Math.min(...stated.filter((value) => value !== undefined))
  if (own === undefined || own <= lowest) return []
  return [widerThanParent(path, `at most ${lowest}`)]
}

/** Every entry of the child's list that a list of the parent does not cover. */
export function outsideParent(
  path: string,
  own: readonly string[] | undefined,
  stated: readonly (readonly string[] | undefined)[],
  covers: (outer: string, inner: string) => boolean,
): FieldError[] {
  const lists = stated.filter((list) => list !== undefined)
  return (own ?? []).flatMap((entry, index) => {
    const missing = lists.find((list) => !list.some((outer) => covers(outer, entry)))
    return missing ? [widerThanParent(`${path}/${index}`, `only ${summaryOf(missing)}`)] : []
  })
}

/** The first entries of a list that may be too long for a sentence. */
export function summaryOf(entries: readonly string[]): string {
  const shown = entries.slice(0, 5).join(', ')
  return entries.length > 5 ? `${shown} and ${entries.length - 5} more` : shown
}
