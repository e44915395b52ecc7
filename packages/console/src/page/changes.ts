/** The fields whose values have changed. A change by someone else to the others stays. */
export function changesOf<T extends object>(now: T, before: NoInfer<T>): Partial<T> {
  const changed = Object.entries(now).filter(
    ([name, value]) => !isSame(value, before[name as keyof T]),
  )
  return Object.fromEntries(changed) as Partial<T>
}

/** Whether two values are the same as JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0
}
