import {
  createFrontier,
  hashOfLeaf,
  joinNodes,
  type LeafSubject,
  parseLeaf,
  signCheckpoint,
} from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { logOf } from '../core/audit/decision-leaf.ts'
import { beginningOf } from '../core/audit/payloads.ts'
import { isDecision, payloadOf, type Source, subjectOf } from '../core/audit/source.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { commitChanges, commitEvents, makeCommitment } from '../storage/audit/commit.ts'
import { type DecisionHashes, readDecisionHashes } from '../storage/audit/decision-hashes.ts'
import { insertDecisionLeaves, insertLeaves, type NewLeaf } from '../storage/audit/leaves.ts'
import { type AuditLog, growLog, lockLog, storeNote } from '../storage/audit/logs.ts'
import {
  type FeedRange,
  findDecisionFacts,
  findEvents,
  listChanges,
} from '../storage/audit/sources.ts'
import { type FeedBreak, findStop, stopLog } from '../storage/audit/stops.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { arrangeLeaves, type OtherLeaf } from './arrange-leaves.ts'
import { findBreak, findRepeat } from './feed-break.ts'
import type { LogKeys } from './log-keys.ts'

/**
 * How many numbers of the feed a turn covers, so that none takes long. Every leaf has a number of
 * its own, so this also bounds the leaves that a turn appends. It is lower for the embedded engine,
 * because this process does nothing else while a statement runs.
 */
const NUMBERS_MAX = { embedded: 250n, postgres: 1_000n }

export interface SealParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly keys: LogKeys
}

/** The state of an audit log after a turn. */
interface Sealed extends Pick<AuditLog, 'size' | 'nodes' | 'signedSize'> {
  readonly hasMore: boolean
  /** Why nothing was appended, and nothing will be. */
  readonly stopped?: FeedBreak
}

/** The result of a turn. */
export type Turn = Pick<Sealed, 'hasMore' | 'stopped'>

/**
 * Appends new events and changes of one organization to its audit log, and signs the new head after
 * the commit: a signed state must never be rolled back. If the process dies in between, the next
 * turn signs. `hasMore` is true if there was more than one turn covers.
 */
export async function sealTurn(parts: SealParts, organizationId: string): Promise<Turn> {
  const sealed = await parts.db.transaction((tx) => append(tx, parts, organizationId))
  if (!sealed) return { hasMore: false }
  if (sealed.signedSize < sealed.size) await signLog(parts, organizationId, sealed)
  return sealed
}

async function signLog(
  { db, keys }: SealParts,
  organizationId: string,
  { size, nodes }: Sealed,
): Promise<void> {
  const checkpoint = { origin: logOf(organizationId), size, root: joinNodes(nodes, sha256) }
  const note = signCheckpoint(checkpoint, await keys.signers(organizationId))
  if (note === undefined)
    throw new Error('The audit log has more leaves than a checkpoint can state.')
  await storeNote(db, organizationId, { size, note })
}

/** Returns undefined if a different process is sealing this audit log. */
async function append(
  tx: Tx,
  { db, clock }: SealParts,
  organizationId: string,
): Promise<Sealed | undefined> {
  const log = await lockLog(tx, organizationId)
  if (!log) return undefined
  const stop = async (found: FeedBreak): Promise<Sealed> => {
    tx.send(stopLog(organizationId, found, await clock(tx)))
    return { ...log, hasMore: false, stopped: found }
  }
  const stopped = log.isStopped ? await findStop(tx, organizationId) : undefined
  if (stopped) return { ...log, hasMore: false, stopped }
  const broken = await findBreak(tx, organizationId, log)
  if (broken) return stop(broken)
  const end = log.lastNumber + NUMBERS_MAX[db.engine]
  const hasMore = end < log.feedEnd
  const range = { after: log.lastNumber, to: hasMore ? end : log.feedEnd }
  // The previous holder of the lock may have sealed further than this statement saw.
  if (range.to <= range.after && log.size > 0) return { ...log, hasMore }
  const { decisions, others } = await readRange(tx, organizationId, range)
  const repeat = findRepeat(decisions, others)
  if (repeat) return stop(repeat)
  if (log.size === 0) others.unshift(firstLeaf(organizationId, log, await clock(tx)))
  const { hashes, decisionPlaces, otherPlaces } = arrangeLeaves(decisions, others)
  const frontier = createFrontier(sha256, log.size, log.nodes)
  if (!frontier) throw new Error('The frontier of the audit log does not match its size.')
  const growth = { first: log.size, hashes, nodes: frontier.append(hashes) }
  if (decisionPlaces.length > 0) {
    const placed = { numbers: decisions.numbers, places: decisionPlaces }
    tx.send(insertDecisionLeaves(organizationId, growth, placed, range))
  }
  if (others.length > 0) {
    const placed = others.map((leaf, at) => ({ ...leaf, place: otherPlaces[at] ?? 0 }))
    tx.send(insertLeaves(organizationId, growth, placed))
  }
  const grown = { size: frontier.size(), nodes: frontier.nodes(), lastNumber: range.to }
  tx.send(growLog(organizationId, grown))
  return { ...grown, signedSize: log.signedSize, hasMore }
}

/** A leaf of anything but a decision, made here from its row. */
type MadeLeaf = Omit<NewLeaf, 'place'> & OtherLeaf

/** All decisions, events and changes in this range of the feed, each list sorted. */
async function readRange(
  tx: Tx,
  organizationId: string,
  range: FeedRange,
): Promise<{ decisions: DecisionHashes; others: MadeLeaf[] }> {
  const [{ decisions, others }, changes] = await Promise.all([
    readDecisionHashes(tx, organizationId, range),
    listChanges(tx, organizationId, range),
  ])
  const events = await findEvents(tx, organizationId, others)
  const sources = [...events, ...changes].sort((a, b) => (a.number < b.number ? -1 : 1))
  const committed = await commitLate(tx, organizationId, sources)
  const made = sources.map((source) => {
    const commitment = committed.get(source.number) ?? source.commitment?.toString('hex') ?? ''
    return makeLeaf(source.number, subjectOf(organizationId, source), commitment)
  })
  return { decisions, others: made }
}

function firstLeaf(organizationId: string, log: AuditLog, now: Instant): MadeLeaf {
  const { begunAfter, begunWith } = log
  const { subject, commitment } = beginningOf(organizationId, begunAfter, begunWith, toIso(now))
  return makeLeaf(begunAfter, subject, commitment)
}

function makeLeaf(number: bigint, subject: LeafSubject, commitment: string): MadeLeaf {
  const leaf = parseLeaf({ version: 1, ...subject, commitment })
  if (!leaf)
    throw new Error(
      `The event or change with the number ${number} cannot become a leaf of the audit log.`,
    )
  return { number, ...subject, commitment, hash: hashOfLeaf(leaf, sha256) }
}

/**
 * Commits to rows of an older gateway, which ran while this one was installed. It stored no
 * commitments, and issued no receipts.
 */
async function commitLate(
  tx: Tx,
  organizationId: string,
  sources: readonly Source[],
): Promise<Map<bigint, string>> {
  const late = sources.filter(({ commitment }) => commitment === null)
  if (late.length === 0) return new Map()
  const ids = late.filter(isDecision).map(({ id }) => id)
  const facts = await findDecisionFacts(tx, organizationId, ids)
  const made = late.map((source) => {
    const decision = source.type === 'event' ? facts.get(source.id) : undefined
    const payload = payloadOf(source, decision) ?? {}
    return { source, number: source.number, ...makeCommitment({ ...Object(payload) }) }
  })
  const events = made.flatMap(({ source, ...commitment }) =>
    source.type === 'event' ? [{ id: source.id, ...commitment }] : [],
  )
  const changes = made.filter(({ source }) => source.type === 'change')
  if (events.length > 0) tx.send(commitEvents(organizationId, events))
  if (changes.length > 0) tx.send(commitChanges(organizationId, changes))
  return new Map(made.map(({ number, commitment }) => [number, commitment]))
}
