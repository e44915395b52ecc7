/** Evidence about an audit log that this browser keeps: the gateway did not send it just now. */
export interface Kept {
  /** The public keys, as they were at first sight or as a person accepted them. */
  readonly keys: readonly string[]
  /** When the first key was seen. */
  readonly since: string
  /** The last signed state that this browser has checked. */
  readonly head: { readonly note: string; readonly size: number; readonly at: string } | null
}

const PREFIX = 'purser.audit.'
/** A browser can refuse storage, for example in a private window. Then it lasts as long as the page. */
const inPage = new Map<string, Kept>()

export function readKept(log: string): Kept | null {
  return parseKept(readText(log)) ?? inPage.get(log) ?? null
}

export function writeKept(log: string, kept: Kept): void {
  inPage.set(log, kept)
  try {
    localStorage.setItem(PREFIX + log, JSON.stringify(kept))
  } catch {
    // The copy of this page has to do.
  }
}

function readText(log: string): string | null {
  try {
    return localStorage.getItem(PREFIX + log)
  } catch {
    return null
  }
}

/** Null for anything that this page did not write. */
export function parseKept(text: string | null): Kept | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isKept(value) ? value : null
  } catch {
    return null
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { keys, since, head } = value as Partial<Record<keyof Kept, unknown>>
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every((key) => typeof key === 'string')) {
    return false
  }
  if (typeof since !== 'string') return false
  if (head === null) return true
  const { note, size, at } = Object(head) as Record<string, unknown>
  return typeof note === 'string' && typeof size === 'number' && typeof at === 'string'
}
