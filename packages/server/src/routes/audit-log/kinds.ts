import { Type } from 'typebox'
import { refusedParameter } from '../../base/errors.ts'
import { LEAF_KINDS } from '../../core/audit/source.ts'
import { several, valuesOf } from '../../http/validation/several.ts'

/** A kind of entry, or the beginning of several: `change.`, `change.mandate.*`. */
const NAME = '[a-z_]+(?:\\.[a-z_]+)*'
const ITEM = `${NAME}(?:\\.\\*?)?`

const Prefix = Type.String({
  pattern: `^${NAME}\\.\\*?$`,
  maxLength: 64,
  examples: ['change.mandate.'],
})

/** The parameter `kind` of the audit log. */
export const Kinds = several(
  Type.Union([Type.Enum([...LEAF_KINDS], { type: 'string' }), Prefix]),
  ITEM,
  {
    description:
      'Only entries of this kind. A value that ends in `.` or `.*` means all kinds that begin with it: `change.` means every change.',
    example: 'transaction.approved,change.mandate.*',
  },
)

/** The kinds that the parameter names; undefined if it was not sent. */
export function readKinds(text: string | undefined): readonly string[] | undefined {
  const named = valuesOf(text)
  return named && [...new Set(named.flatMap(kindsOf))]
}

function kindsOf(name: string): readonly string[] {
  const prefix = name.endsWith('.*') ? name.slice(0, -1) : name
  const kinds = LEAF_KINDS.filter((kind) =>
    prefix.endsWith('.') ? kind.startsWith(prefix) : kind === prefix,
  )
  if (kinds.length > 0) return kinds
  throw refusedParameter('kind', `names ${name}, and the audit log has no such kind`)
}
