/** The search of an address with some parameters set, and those that are undefined left out. */
export function changeSearch<S extends object>(
  before: S,
  change: { readonly [Name in keyof S]?: S[Name] | undefined },
): S {
  const entries = Object.entries({ ...before, ...change }).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(entries) as S
}
