import { placeOfId } from '../../../words/ids.ts'
import type { TransactionSearch } from './filters.ts'

/** The meaning of the text in the find field, by its form. */
export type Found =
  /** An id: its page opens. */
  | { readonly kind: 'place'; readonly href: string }
  /** A whole host: the filter of the vendor. */
  | { readonly kind: 'filter'; readonly search: TransactionSearch }
  | { readonly kind: 'nothing' }

const HOST = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{1,62}$/i
const URL_START = /^https?:\/\//i
const Q_MAX = 120

/** Sorts the text out when a person presses Enter. */
export function findByForm(text: string): Found {
  const given = text.trim()
  if (given === '') return { kind: 'nothing' }
  const href = placeOfId(given)
  if (href !== undefined) return { kind: 'place', href }
  const host = URL_START.test(given) ? hostOf(given) : given
  if (host !== undefined && HOST.test(host)) {
    return { kind: 'filter', search: { vendor: host.toLowerCase() } }
  }
  return { kind: 'filter', search: { q: given.slice(0, Q_MAX) } }
}

/** Whether the list can follow the text while a person types. An id is opened, not searched. */
export function isSearchText(text: string): boolean {
  return !/^[a-z]{2,4}_[0-9a-f]*$/i.test(text.trim())
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
