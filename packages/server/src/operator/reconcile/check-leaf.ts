import { commitTo, equalBytes, hashOfLeaf, parseLeaf } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { BEGINNING, type BegunWith, beginningOf } from '../../core/audit/payloads.ts'
import { isDecision, payloadOf, type Source, subjectOf } from '../../core/audit/source.ts'
import { uuidOfSubject } from '../../core/audit/subject-id.ts'
import { toIso } from '../../core/time/instant.ts'
import type { StoredLeaf } from '../../storage/audit/read-leaves.ts'
import type { findDecisionFacts } from '../../storage/audit/sources.ts'
import type { FeedRow, KeptDecision, Pruned } from '../../storage/reconcile/log-rows.ts'
import type { Place } from './place.ts'

/** The current state of the rows that leaves were made from. */
export interface LeafRows {
  readonly sources: ReadonlyMap<bigint, Source>
  readonly facts: Awaited<ReturnType<typeof findDecisionFacts>>
  readonly kept: ReadonlyMap<string, KeptDecision>
  readonly begunWith: BegunWith
  readonly pruned: Pruned
}

/** The record of a decision that was undone at its deadline differs from its leaf. */
const LATE = 'deadline_passed'

/** Returns the mismatch between a leaf and its rows; undefined if they match. */
export function checkLeaf(
  place: Place,
  rows: LeafRows,
  leaf: StoredLeaf,
  row: FeedRow | undefined,
): string | undefined {
  if (!isWhole(leaf)) return 'the leaf itself was changed'
  if (leaf.kind === BEGINNING) return checkBeginning(place, rows, leaf)
  const decision = isOfDecision(leaf) ? rows.kept.get(transactionOf(leaf)) : undefined
  if (isOfDecision(leaf) && !decision) return 'the transaction is missing'
  const source = rows.sources.get(leaf.number)
  if (!source) return checkAbsence(place, rows, leaf)
  return (
    checkSubject(place, leaf, source) ??
    checkFeedRow(leaf, row) ??
    checkUnused(source) ??
    checkPayload(place, rows, leaf, source, decision)
  )
}

function isWhole(leaf: StoredLeaf): boolean {
  const { kind, subject, actorId } = leaf
  const told = { kind, subject, actorId, at: toIso(leaf.at) }
  const parsed = parseLeaf({ version: 1, ...told, commitment: leaf.commitment.toString('hex') })
  return parsed !== undefined && equalBytes(hashOfLeaf(parsed, sha256), leaf.hash)
}

function checkBeginning(
  { organizationId }: Place,
  { begunWith }: LeafRows,
  { number, at, commitment }: StoredLeaf,
): string | undefined {
  const begun = beginningOf(organizationId, number, begunWith, toIso(at))
  const isSame = begun.commitment === commitment.toString('hex')
  return isSame ? undefined : 'its commitment differs from the data with which the audit log began'
}

/** Only retention removes events, and it records that in the audit log first. */
function checkAbsence(
  { counts }: Place,
  { pruned }: LeafRows,
  leaf: StoredLeaf,
): string | undefined {
  if (leaf.kind.startsWith('change.')) return 'the change is missing'
  if (pruned.eventsBefore === null || pruned.eventsBefore <= leaf.at) {
    return 'its event is missing, and no leaf of retention says that it was removed'
  }
  counts.pruned += 1
  return undefined
}

function checkSubject(
  { organizationId }: Place,
  leaf: StoredLeaf,
  source: Source,
): string | undefined {
  const { kind, subject, actorId } = leaf
  const told = { kind, subject, actorId, at: toIso(leaf.at) }
  const shown = subjectOf(organizationId, source)
  const names = ['kind', 'subject', 'at', 'actorId'] as const
  const wrong = names.find((name) => shown[name] !== told[name])
  if (wrong) return `its row has a different ${wrong}`
  const isSame = source.commitment?.equals(leaf.commitment) === true
  return isSame ? undefined : 'its row has a different commitment'
}

function checkFeedRow({ kind, hash }: StoredLeaf, row: FeedRow | undefined): string | undefined {
  if (!row) return undefined
  if (row.isSample) return 'its row has become a test event'
  if (row.leaf && !row.leaf.equals(hash)) return 'its row has the hash of a different leaf'
  const isOfType = row.subjectType === null || kind.startsWith(`change.${row.subjectType}.`)
  return isOfType ? undefined : 'its row has a different subject_type'
}

/**
 * The data of a decision's event are in its transaction, so these columns of the event are null.
 */
function checkUnused(source: Source): string | undefined {
  if (!isDecision(source)) return undefined
  const { mandateId, budgetTotal, budgetSpent, outcome, state = null } = source
  const isEmpty = [mandateId, budgetTotal, budgetSpent, outcome, state].every(
    (each) => each === null,
  )
  return isEmpty ? undefined : 'its event has values in columns that decisions leave empty'
}

function checkPayload(
  place: Place,
  rows: LeafRows,
  leaf: StoredLeaf,
  source: Source,
  decision: KeptDecision | undefined,
): string | undefined {
  if (decision && isDecision(source)) {
    if (decision.hasDetails !== (decision.detailsRemovedAt === null)) {
      return 'details and details_removed_at of the transaction contradict each other'
    }
    if (!decision.hasDetails) return checkRemoval(place, rows, decision)
    if (source.salt === null && decision.code === LATE) return undefined
  }
  if (source.salt === null) return 'its salt is missing'
  const payload = payloadOf(source, source.type === 'event' ? rows.facts.get(source.id) : undefined)
  const isSame = commitTo(payload, source.salt, sha256) === leaf.commitment.toString('hex')
  return isSame ? undefined : 'its row differs from the data that the leaf commits to'
}

function checkRemoval(
  { counts }: Place,
  { pruned }: LeafRows,
  { createdAt }: KeptDecision,
): string | undefined {
  if (pruned.detailsBefore === null || pruned.detailsBefore <= createdAt) {
    return 'its details are missing, and no leaf of retention says that they were removed'
  }
  counts.pruned += 1
  return undefined
}

export function isOfDecision({ kind }: StoredLeaf): boolean {
  return kind === 'transaction.approved' || kind === 'transaction.rejected'
}

/** The id of the transaction of a decision's leaf. */
export function transactionOf({ subject }: StoredLeaf): string {
  return uuidOfSubject('transaction', subject) ?? ''
}
