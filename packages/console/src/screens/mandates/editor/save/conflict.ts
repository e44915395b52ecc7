import type { PurserError } from '@purser/sdk'

/** A change by someone else since the state that this page was made from. */
export interface Conflict {
  /** The version or `updatedAt` now. */
  readonly current: number | string
  readonly by: string
  readonly changes: readonly {
    readonly field: string
    readonly before: unknown
    readonly after: unknown
  }[]
}

/** Reads the answer 409 `changed_meanwhile`. Undefined for any other error. */
export function conflictOf(error: PurserError): Conflict | undefined {
  if (error.code !== 'changed_meanwhile' || !error.problem) return undefined
  const { current, changedBy, changes } = error.problem
  const person = changedBy as { readonly name?: string | null } | null | undefined
  return {
    current: typeof current === 'number' ? current : String(current),
    by: person?.name ?? 'Someone else',
    changes: Array.isArray(changes) ? (changes as Conflict['changes']) : [],
  }
}

/** "Bo changed this mandate while you were editing." */
export function conflictSentence(by: string, thing: 'mandate' | 'draft'): string {
  return `${by} changed this ${thing} while you were editing.`
}
