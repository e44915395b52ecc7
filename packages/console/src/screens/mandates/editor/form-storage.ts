import type { MandateForm } from './form/mandate-form.ts'
import type { Attempt } from './save/draft-saver.ts'

interface Kept {
  readonly form: MandateForm
  /** The `updatedAt` of the stored draft that the form was made from. */
  readonly stamp: string
}

const PREFIX = 'purser.mandate-editor.'
const ATTEMPT_PREFIX = 'purser.mandate-attempt.'

/** Keeps changes that the gateway does not have yet, so that a reload loses none. */
export function keepForm(key: string, kept: Kept): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(kept))
  } catch {
    // A full or forbidden storage only means that a reload loses the last second.
  }
}

export function forgetForm(key: string): void {
  sessionStorage.removeItem(PREFIX + key)
}

/** The changes of an earlier page in this tab. Undefined if there are none that can be read. */
export function keptForm(key: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null')
    return isKept(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Keeps the request that creates the draft, so that a page after a reload can repeat it. */
export function keepAttempt(key: string, attempt: Attempt | null): void {
  try {
    if (attempt && attempt.draftId === undefined) {
      sessionStorage.setItem(ATTEMPT_PREFIX + key, JSON.stringify(attempt))
    } else sessionStorage.removeItem(ATTEMPT_PREFIX + key)
  } catch {
    // Without it, a reload in the wrong moment can store a second draft.
  }
}

export function keptAttempt(key: string): Attempt | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(ATTEMPT_PREFIX + key) ?? 'null')
    return isAttempt(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

function isAttempt(value: unknown): value is Attempt {
  const { body, text, key } = Object(value) as Partial<Attempt>
  return typeof body === 'object' && typeof text === 'string' && typeof key === 'string'
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { form, stamp } = value as Partial<Kept>
  // A page of an earlier release kept no levels.
  const isWhole = Array.isArray(form?.rules) && typeof form.warningPercents === 'string'
  return typeof stamp === 'string' && isWhole
}
