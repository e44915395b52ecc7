import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { EXAMPLE_RECEIPT } from '../../http/document/examples.ts'

export const LeafHash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'The hash of the leaf, as in `receipt.leaf` of a decision.',
  examples: [EXAMPLE_RECEIPT.leaf],
})

export const LeafIndex = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The position of the leaf in the audit log, counted from 0.',
  examples: [1],
})

export function logShorter(wanted: number, size: number): Problem {
  return new Problem(
    'log_shorter',
    `The audit log has ${size} signed leaves, fewer than ${wanted}. New leaves are signed within seconds.`,
  )
}
