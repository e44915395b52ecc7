import { Prose } from './prose.tsx'
import type { Shape } from './shape.ts'

/** The words, values and example of a field. */
export function FieldFacts({ shape }: { readonly shape: Shape }) {
  const { description, values, example } = shape
  return (
    <>
      {description ? (
        <p className="mt-0.5 max-w-[72ch] text-ink-2">
          <Prose text={description} />
        </p>
      ) : null}
      {values.length > 0 ? <Values values={values} /> : null}
      {isScalar(example) && values.length === 0 ? (
        <p className="mt-0.5 text-small text-ink-3">
          Example: <code className="wrap-anywhere">{String(example)}</code>
        </p>
      ) : null}
    </>
  )
}

function Values({ values }: { readonly values: readonly string[] }) {
  return (
    <p className="mt-1 flex flex-wrap gap-1 text-small text-ink-2">
      <span className="sr-only">Values:</span>
      {values.map((value) => (
        <code key={value} className="rounded-1 bg-well px-1.25">
          {value}
        </code>
      ))}
    </p>
  )
}

function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object'
}
