import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { ApiDocument } from '../../data/openapi.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { countOf } from '../../words/text.ts'
import { FieldFacts } from './field-facts.tsx'
import { Prose } from './prose.tsx'
import { type NamedSchema, type Shape, shapeOf } from './shape.ts'

// A field holds fields, so the parts of the tree draw each other and share a file.

interface FieldsProps {
  readonly document: ApiDocument
  readonly shape: Shape
  readonly depth?: number
}

/** The content of a value: its fields, or the shapes that it can have. */
export function Fields({ document, shape, depth = 0 }: FieldsProps) {
  if (shape.variants) {
    return <Variants document={document} variants={shape.variants} depth={depth} />
  }
  if (!shape.fields) return null
  return (
    <ul className={depth === 0 ? '' : 'border-l border-line pl-3.5'}>
      {shape.fields.map((field) => (
        <FieldRow key={field.name} document={document} field={field} depth={depth} />
      ))}
    </ul>
  )
}

interface FieldRowProps {
  readonly document: ApiDocument
  readonly field: NamedSchema
  readonly depth: number
}

/** A field: its name, type, limits and words. An object opens below it. */
export function FieldRow({ document, field, depth }: FieldRowProps) {
  const { name, schema, isRequired } = field
  const shape = useMemo(() => shapeOf(document, schema), [document, schema])
  const { type, isNullable, notes } = shape
  return (
    <li className="border-line py-2.5 not-first:border-t">
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <code className="font-medium wrap-anywhere">{name}</code>
        <span className="text-small text-ink-3">
          {type}
          {isNullable ? ' or null' : ''}
        </span>
        {isRequired ? <span className="text-small font-medium text-ink-2">required</span> : null}
        {notes.length > 0 ? (
          <span className="text-small text-ink-3">{notes.join(', ')}</span>
        ) : null}
      </div>
      <FieldFacts shape={shape} />
      <Inside document={document} shape={shape} name={name} depth={depth} />
    </li>
  )
}

interface InsideProps {
  readonly document: ApiDocument
  readonly shape: Shape
  readonly name: string
  readonly depth: number
}

/** The fields of an object are drawn when it is opened, because a schema can hold itself. */
function Inside({ document, shape, name, depth }: InsideProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const { fields, variants } = shape
  const count = variants ? countOf(variants.length, 'shape') : countOf(fields?.length ?? 0, 'field')
  if (!fields && !variants) return null
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <button
        type="button"
        className="mt-1 -ml-1 inline-flex min-h-6 items-center gap-1 rounded-1 px-1 text-small font-medium text-accent hover:text-accent-hover pointer-coarse:min-h-11"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon size={14} aria-hidden />
        {isOpen ? 'Hide' : 'Show'} {count}
        <span className="sr-only"> of {name}</span>
      </button>
      {isOpen ? (
        <div id={id} className="mt-1">
          <Fields document={document} shape={shape} depth={depth + 1} />
        </div>
      ) : null}
    </>
  )
}

/** As many stand side by side; more are a list. */
const SIDE_BY_SIDE = 4

interface VariantsProps {
  readonly document: ApiDocument
  readonly variants: readonly NamedSchema[]
  readonly depth: number
}

/** The shapes that a value can have, one at a time. */
function Variants({ document, variants, depth }: VariantsProps) {
  const [chosen, setChosen] = useState('0')
  const variant = variants[Number(chosen)] ?? variants[0]
  if (!variant) return null
  const shape = shapeOf(document, variant.schema)
  const options = variants.map(({ name }, index) => ({ value: String(index), label: name }))
  return (
    <div className={depth === 0 ? '' : 'border-l border-line pl-3.5'}>
      {variants.length <= SIDE_BY_SIDE ? (
        <Segmented label="Shape" value={chosen} onChange={setChosen} options={options} />
      ) : (
        <div className="max-w-72">
          <Select
            size="sm"
            aria-label="Shape"
            value={chosen}
            onChange={setChosen}
            options={options}
          />
        </div>
      )}
      {shape.description ? (
        <p className="mt-2 max-w-[72ch] text-ink-2">
          <Prose text={shape.description} />
        </p>
      ) : null}
      {shape.fields || shape.variants ? (
        <Fields document={document} shape={shape} />
      ) : (
        <p className="mt-1 text-small text-ink-3">
          {[shape.type, ...shape.notes, ...shape.values].join(', ')}
        </p>
      )}
    </div>
  )
}
