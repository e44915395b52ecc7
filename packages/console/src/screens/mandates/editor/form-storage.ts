import type { MandateForm } from './form/mandate-form.ts'

interface Kept {
  readonly form: MandateForm
  /** The `updatedAt` of the stored draft that the form was made from. */
  readonly stamp: string
}

const PREFIX = 'purser.mandate-editor.'

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

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { form, stamp } = value as Partial<Kept>
  return typeof stamp === 'string' && typeof form === 'object' && Array.isArray(form?.rules)
}
