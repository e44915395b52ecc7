import { digestOf } from '../../core/audit/row-state.ts'
import { isUuid, toPublicId } from '../../core/id.ts'
import type { Tx } from '../../storage/engine/database.ts'
import {
  findBinding,
  isRemovedConnection,
  listAgentsOfLine,
  listLeavesAbout,
  listMakers,
  type NamedLeaf,
  type Thing,
  type ThingRow,
} from '../../storage/reconcile/things.ts'
import { listVersionTexts } from '../../storage/reconcile/versions.ts'

type Row = ThingRow['row']

/** The scope of the search for changes of other things. */
interface Ends {
  readonly tx: Tx
  readonly organizationId: string
  /** Changes after this number count too; null for sealed changes only. */
  readonly unsealedAfter: bigint | null
}

/**
 * Whether a column differs because something else has ended: mandates end with their ancestors and
 * their agent, cards with their agent or connection, keys with the key that created them. The other
 * thing then has a leaf of the same instant, or a change that will become one.
 */
export function isExplained(
  ends: Ends,
  thing: Thing,
  column: string,
  thingRow: ThingRow,
): Promise<boolean> {
  const { row, subject } = thingRow
  switch (thing) {
    case 'mandate':
      if (column === 'terms') return isOfOlderGateway(ends, thingRow)
      return isFallenMandate(ends, column, row)
    case 'card':
      return isFallenCard(ends, column, row)
    case 'api_key':
      return isFallenKey(ends, column, row, subject)
    case 'organization':
      return Promise.resolve(isSealedUrl(column, thingRow))
    default:
      return Promise.resolve(false)
  }
}

/**
 * Whether a change record says that this password reset link was created for its member at that
 * instant.
 */
export async function isResetLink(where: Ends, row: Row): Promise<boolean> {
  const memberId = row['member_id'] ?? null
  if (row['kind'] !== 'reset' || memberId === null) return false
  const kinds = ['change.member.reset_link_created']
  const made = await listEnds(where, [toPublicId('mem', memberId)], kinds)
  return made.some((change) => isAt(change, row['created_at']))
}

/**
 * A URL that was stored in full has been sealed since, which does not change the URL. A sealed copy
 * cannot be forged without the master key.
 */
function isSealedUrl(column: string, { row, state, salt }: ThingRow): boolean {
  if (column !== 'webhook_url' && column !== 'webhook_url_id') return false
  if (!state || !salt || row['webhook_url_id'] == null || row['webhook_url'] == null) return false
  const wasNull = (name: string): boolean => state[name] === digestOf(name, null, salt)
  const hadCopy = state['webhook_url_id'] !== undefined && !wasNull('webhook_url_id')
  return !hadCopy && !wasNull('webhook_url')
}

/** Whether a gateway made the change that does not know the levels of warnings. */
async function isOfOlderGateway(
  { tx, organizationId }: Ends,
  { id, row, state, salt }: ThingRow,
): Promise<boolean> {
  const before = Number(row['version']) - 1
  const [version] = await listVersionTexts(tx, organizationId, id, before, 1)
  if (!version || !state || !salt) return false
  return digestOf('terms', version.termsWithLevels, salt) === state['terms']
}

function listEnds(
  { tx, organizationId, unsealedAfter }: Ends,
  subjects: readonly string[],
  kinds: readonly string[],
): Promise<NamedLeaf[]> {
  return listLeavesAbout(tx, organizationId, { subjects, kinds, unsealedAfter })
}

const MANDATE_ENDS = new Set(['status', 'revoked_at', 'updated_at', 'updated_by'])

async function isFallenMandate(where: Ends, column: string, row: Row): Promise<boolean> {
  if (!MANDATE_ENDS.has(column)) return false
  // A newer mandate of the agent was activated after this one had expired.
  if (row['status'] === 'expired') return isOverAt(row) && column !== 'revoked_at'
  if (row['status'] !== 'revoked') return false
  const above: string[] = JSON.parse(row['ancestor_ids'] ?? '[]')
  const agents = await listAgentsOfLine(where.tx, where.organizationId, above)
  const subjects = [...above.map((id) => toPublicId('mnd', id)), row['agent_id'] ?? '', ...agents]
  const kinds = ['change.mandate.revoked', 'change.agent.deleted']
  const ends = await listEnds(where, subjects, kinds)
  return ends.some((end) => isAt(end, row['revoked_at']) && isSameEnd(end, row))
}

/** Everything that the end has set has one instant and one actor. */
function isSameEnd(end: NamedLeaf, row: Row): boolean {
  return isAt(end, row['updated_at']) && end.actorId === row['updated_by']
}

function isOverAt(row: Row): boolean {
  const [end, at] = [row['valid_until'], row['updated_at']]
  return end != null && at != null && Date.parse(end) <= Date.parse(at)
}

const CARD_ENDS = new Set(['status', 'status_reason', 'updated_at', 'updated_by'])

async function isFallenCard(where: Ends, column: string, row: Row): Promise<boolean> {
  if (!CARD_ENDS.has(column)) return false
  // The gateway itself paused the card because of an over-capture; no person changed it.
  if (row['status'] === 'paused' && row['updated_by'] === 'system') return true
  if (row['status'] !== 'closed') return false
  const [subject, kind] = await findEndOfCard(where, row)
  if (subject === null) return false
  const ends = await listEnds(where, [subject], [kind])
  return ends.some((end) => isSameEnd(end, row))
}

/** The thing with which the card was closed, according to its reason, and the kind of that leaf. */
async function findEndOfCard(
  { tx, organizationId }: Ends,
  row: Row,
): Promise<readonly [subject: string | null, kind: string]> {
  switch (row['status_reason']) {
    case 'agent_deleted':
      return [row['agent_id'] ?? null, 'change.agent.deleted']
    case 'connection_removed': {
      const id = row['connection_id'] ?? ''
      const isRemoved = await isRemovedConnection(tx, organizationId, id)
      return [isRemoved ? toPublicId('conn', id) : null, 'change.card_connection.updated']
    }
    default:
      return [null, '']
  }
}

async function isFallenKey(
  where: Ends,
  column: string,
  row: Row,
  subject: string,
): Promise<boolean> {
  const { tx, organizationId } = where
  const binding = await findBinding(tx, organizationId, subject)
  if (column === 'agent_ids') {
    if (!binding) return false
    const now: readonly string[] = JSON.parse(row['agent_ids'] ?? '[]')
    return now.length > 0 && now.join() === binding.left.join()
  }
  if (column !== 'revoked_at' || row['revoked_at'] == null) return false
  const makers = await listMakers(tx, organizationId, row['created_by'] ?? '')
  const kinds = ['change.api_key.revoked', 'change.agent.deleted', 'change.member.removed']
  const named = makers.map((maker) => (isUuid(maker) ? toPublicId('key', maker) : maker))
  const subjects = [...named, ...(binding?.first ?? [])]
  const ends = await listEnds(where, subjects, kinds)
  return ends.some((end) => isAt(end, row['revoked_at']))
}

function isAt({ at }: NamedLeaf, text: string | null | undefined): boolean {
  return text != null && Date.parse(text) === at
}
