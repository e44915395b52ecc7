import {
  isNode,
  mapSchemas,
  mapValues,
  type SchemaNode,
  type WrittenDocument,
} from './map-schemas.ts'
import { SAID_AT_USE } from './object-names.ts'

/** Marks a response schema with its variants, which only the document writes out. */
export const VARIANTS = 'x-variants'

/** The values of a field in one variant of a response. */
export type Narrowed =
  | { readonly is: 'present' | 'null' | 'absent' }
  | { readonly value: string | boolean; readonly description: string }
  /** Several values: the title names their list. */
  | { readonly values: readonly string[]; readonly title: string; readonly description: string }

/** One shape of a response: the narrowed fields tell it apart from the others. */
export interface Variant {
  readonly title: string
  readonly description: string
  readonly fields: Readonly<Record<string, Narrowed>>
}

export const PRESENT: Narrowed = { is: 'present' }
export const NULL: Narrowed = { is: 'null' }
export const ABSENT: Narrowed = { is: 'absent' }

/** A variant that narrows the fields of a more general one further. */
export function variant(
  title: string,
  general: Omit<Variant, 'title'>,
  fields: Variant['fields'] = {},
): Variant {
  return { ...general, title, fields: { ...general.fields, ...fields } }
}

export const APPROVED: Narrowed = { value: 'approved', description: 'The decision on the spend.' }
export const REJECTED: Narrowed = { value: 'rejected', description: 'The decision on the spend.' }

export const APPROVED_SPEND: Omit<Variant, 'title'> = {
  description: 'The gateway approved the spend.',
  fields: {
    decision: APPROVED,
    status: {
      title: 'ApprovedStatus',
      values: ['held', 'settled'],
      description:
        'The status right after the decision. `held`: the amount is reserved until the hold is settled, voided or expires. `settled`: the amount is spent.',
    },
  },
}

export const REJECTED_SPEND: Omit<Variant, 'title'> = {
  description: 'The gateway rejected the spend. Nothing was taken from the budget.',
  fields: {
    decision: REJECTED,
    status: { value: 'rejected', description: 'Nothing was taken from the budget.' },
  },
}

/**
 * Writes a response with variants as a choice between them, so that a generated client knows from
 * `decision` or `status` which fields have values. Routes keep the one schema that has all fields.
 */
export function withVariants(document: WrittenDocument): WrittenDocument {
  return mapSchemas(document, (schema) => {
    const { [VARIANTS]: variants, examples, ...whole } = schema
    if (!Array.isArray(variants)) return schema
    const { title, description } = whole
    return {
      title,
      ...(description !== undefined && { description }),
      oneOf: variants.map((variant: Variant) => narrow(whole, variant)),
      ...discriminatorOf(variants),
      ...(examples !== undefined && { examples }),
    }
  })
}

function narrow(whole: SchemaNode, { title, description, fields }: Variant): SchemaNode {
  const { properties, required } = whole
  if (!isNode(properties) || !Array.isArray(required)) throw new Error(`${title} has no fields.`)
  for (const name of Object.keys(fields)) {
    if (!(name in properties)) throw new Error(`${title} narrows ${name}, which does not exist.`)
  }
  const isThere = (name: string): boolean => !isMarked(fields[name], 'absent')
  const present = Object.keys(fields).filter((name) => isMarked(fields[name], 'present'))
  const kept = Object.entries(properties).filter(([name]) => isThere(name))
  return {
    ...whole,
    title,
    description,
    required: [...required, ...present.filter((name) => !required.includes(name))].filter(isThere),
    properties: mapValues(Object.fromEntries(kept), (field, name) => {
      const narrowed = fields[name]
      return narrowed && isNode(field) ? narrowField(field, narrowed) : field
    }),
  }
}

/** The plugin that writes the document copies schemas, so the marks are compared by their values. */
function isMarked(narrowed: Narrowed | undefined, mark: 'present' | 'absent'): boolean {
  return narrowed !== undefined && 'is' in narrowed && narrowed.is === mark
}

function narrowField(field: SchemaNode, narrowed: Narrowed): SchemaNode {
  if ('value' in narrowed) {
    const { value, description } = narrowed
    return { type: typeof value, const: value, description }
  }
  if ('values' in narrowed) {
    const { title, values, description } = narrowed
    return { title, type: 'string', enum: values, description }
  }
  const { anyOf, ...around } = field
  if (narrowed.is === 'present' && !Array.isArray(anyOf)) return field
  const options: SchemaNode[] = Array.isArray(anyOf) ? anyOf : []
  const [other = {}] = options.filter(({ type }) => type !== 'null')
  const description = around['description'] ?? other['description']
  if (narrowed.is === 'present') return { ...other, ...around }
  return { type: 'null', description: description ?? other[SAID_AT_USE] ?? 'Always null here.' }
}

/** A discriminator needs a field with a value of its own in each variant. */
function discriminatorOf(variants: readonly Variant[]): SchemaNode {
  const [first] = variants
  const field = Object.keys(first?.fields ?? {}).find((name) => {
    const values = variants.map(({ fields }) => fields[name])
    const own = values.flatMap((one) =>
      one && 'value' in one && typeof one.value === 'string' ? [one.value] : [],
    )
    return own.length === variants.length && new Set(own).size === own.length
  })
  return field === undefined ? {} : { discriminator: { propertyName: field } }
}
