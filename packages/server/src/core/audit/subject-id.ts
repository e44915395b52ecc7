import { type IdPrefix, isUuid, toUuid } from '../id.ts'

/** The id prefix of each kind of thing. An agent's id is a plain UUID. */
const PREFIXES: Readonly<Record<string, IdPrefix>> = {
  mandate: 'mnd',
  api_key: 'key',
  vendor: 'ven',
  wallet: 'wal',
  card: 'card',
  card_connection: 'conn',
  organization: 'org',
  member: 'mem',
  invitation: 'inv',
  approval: 'apr',
  transaction: 'txn',
}

/** The id of a row from the subject of its leaf. Undefined if it is not such an id. */
export function uuidOfSubject(thing: string, subject: string): string | undefined {
  if (thing === 'agent') return isUuid(subject) ? subject : undefined
  const prefix = PREFIXES[thing]
  return prefix && toUuid(prefix, subject)
}

/** The SQL that builds the subject of a leaf from the id of its row. */
export function subjectSql(thing: string, column: string): string {
  const prefix = PREFIXES[thing]
  return prefix === undefined
    ? `${column}::text`
    : `'${prefix}_' || replace(${column}::text, '-', '')`
}
