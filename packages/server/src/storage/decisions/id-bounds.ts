/**
 * The least and the greatest of some ids. A plan that is kept (beginBatch) goes to the months between two
 * bounds alone; for a list it would go to every month there is.
 */
export function boundsOf(
  ids: readonly string[],
): readonly [string | undefined, string | undefined] {
  const ordered = ids.toSorted()
  return [ordered[0], ordered.at(-1)]
}
