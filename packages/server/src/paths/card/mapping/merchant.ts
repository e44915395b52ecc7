import { createHash } from 'node:crypto'
import { normalizeName } from '../../../core/card-alias.ts'

/** A merchant as an issuer describes it. Its name is the merchant's own text, and proves nothing. */
export interface Merchant {
  readonly network: string | null
  readonly id: string | null
  readonly name: string
  readonly url: string | null
}

export { normalizeName }

const SLUG_MAX = 40
const HASH_CHARACTERS = 8

/**
 * The vendor of a merchant that the directory does not know. No one can own a name under `.invalid`
 * (RFC 2606), and the merchant's id is part of the name, so a merchant that imitates a name is a
 * different vendor.
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
