import { Type } from 'typebox'
import { invalidFields } from '../base/errors.ts'

/** Why a person or program stops something. It is stored in the change record of the stop. */
export function reasonOf(change: string) {
  return Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      format: 'text',
      description: `The reason for ${change}, at most 500 characters. The audit log keeps it.`,
      examples: ['Unexpected spends since this morning.'],
    }),
  )
}

/** Refuses a reason that would be lost, because the change that it explains is missing. */
export function requireReasoned(reason: string | undefined, field: string, value: unknown): void {
  if (reason === undefined || value !== undefined) return
  const message = `is only allowed together with ${field}`
  throw invalidFields([{ path: '/reason', code: 'not_allowed', message }])
}
