import { createHash } from 'node:crypto'

/** A merchant as an issuer describes it. Its name is the merchant's own text, and proves nothing. */
export interface Merchant {
  readonly network: string | null
  readonly id: string | null
  readonly name: string
  readonly url: string | null
}

/** Services that collect payments for others put their own name before the merchant's. */
const COLLECTORS =
  /^(?:SQ|TST|PAYPAL|PP|SP|PADDLE\.NET|FS|GOOGLE|APPLE\.COM\/BILL|AMZN MKTP)\s*\*\s*/
/** Numbers of shops, orders and telephones; a year or a single digit may belong to the name. */
const NUMBERS = /(?:#\s*\d+|\b\d{3}[-. ]?\d{3}[-. ]?\d{4}\b|\b\d{5,}\b)/g
const SLUG_MAX = 40
const HASH_CHARACTERS = 8

/** What is compared of a merchant's name: the same for two payments at one merchant, mostly. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .trim()
    .replace(COLLECTORS, '')
    .replace(NUMBERS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * The vendor of a merchant that the directory does not know. Nobody can own a name below `.invalid`,
 * and the merchant's id is part of it, so a name that imitates another is another vendor.
 */
export function unrecognisedVendor({ network, id, name }: Merchant): string {
  const slug = normalizeName(name)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replace(/^-+|-+$/g, '')
  const identity = id === null ? `name ${normalizeName(name)}` : `id ${network ?? ''} ${id}`
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, HASH_CHARACTERS)
  return `${slug === '' ? 'merchant' : slug}-${hash}.unrecognised.invalid`
}
