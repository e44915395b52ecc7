/**
 * The smallest and the largest of some ids. With these bounds a kept plan reads only the
 * monthly partitions between them; with a list of ids it would visit every partition (ADR 10).
 */
export function boundsOf(
  ids: readonly string[],
): readonly [string | undefined, string | undefined] {
  const ordered = ids.toSorted()
  return [ordered[0], ordered.at(-1)]
}
