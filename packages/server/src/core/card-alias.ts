/**
 * A name by which card issuers know a vendor: the id of a merchant, in one network or in any, or the
 * text on a statement.
 */
export type CardAlias =
  | { readonly merchantId: string; readonly network?: string }
  | { readonly name: string }

/** The most aliases of a vendor. */
export const CARD_ALIASES_MAX = 50

/** The identifying fields of an issuer's merchant. */
interface NamedMerchant {
  readonly network: string | null
  readonly id: string | null
  readonly name: string
}

/** Payment collectors put their own name before the merchant's. */
const COLLECTORS =
  /^(?:SQ|TST|PAYPAL|PP|SP|PADDLE\.NET|FS|GOOGLE|APPLE\.COM\/BILL|AMZN MKTP)\s*\*\s*/
/** Numbers of shops, orders and telephones; a year or a single digit may belong to the name. */
const NUMBERS = /(?:#\s*\d+|\b\d{3}[-. ]?\d{3}[-. ]?\d{4}\b|\b\d{5,}\b)/g

/** The part of a merchant's name that is compared: mostly the same for two payments at one merchant. */
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

/** The key of an alias; undefined if nothing comparable is left. */
export function keyOfAlias(alias: CardAlias): string | undefined {
  if ('name' in alias) return keyOfName(alias.name)
  return keyOfId(alias.network ?? '', alias.merchantId)
}

/** The keys that may lead from a merchant to a vendor, the surest first. A name proves the least. */
export function keysOfMerchant({ network, id, name }: NamedMerchant): string[] {
  const ids = id === null ? [] : [keyOfId(network ?? '', id), keyOfId('', id)]
  const keys = [...ids, keyOfName(name)].filter((key) => key !== undefined)
  return [...new Set(keys)]
}

/** Whether this is the key of an id, which only the merchant's bank assigns. */
export function isKeyOfId(key: string): boolean {
  return key.startsWith('id ')
}

/** Ids are compared exactly: two that differ in case are different. Networks pad them with spaces. */
function keyOfId(network: string, id: string): string | undefined {
  const trimmed = id.trim()
  return trimmed === '' ? undefined : `id ${network.trim().toLowerCase()} ${trimmed}`
}

function keyOfName(name: string): string | undefined {
  const normal = normalizeName(name)
  return normal === '' ? undefined : `name ${normal}`
}
