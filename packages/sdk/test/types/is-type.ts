type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Accepts only a value whose type is exactly `Expected`; `any` is not. */
export function isType<Expected>() {
  return <Actual>(
    _value: Actual,
    ..._differs: Same<Actual, Expected> extends true ? [] : [never]
  ) => undefined
}
