import { createFrontier, equalBytes, type Frontier, splitHashes, toBase64 } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { logOf } from '../../core/audit/decision-leaf.ts'
import { BEGINNING } from '../../core/audit/payloads.ts'
import { findBegunWith } from '../../storage/audit/logs.ts'
import { listLeaves, type StoredLeaf } from '../../storage/audit/read-leaves.ts'
import { findDecisionFacts, findSources } from '../../storage/audit/sources.ts'
import { type FeedRow, findKeptDecisions, listFeedRows } from '../../storage/reconcile/log-rows.ts'
import { checkLeaf, isOfDecision, type LeafRows, transactionOf } from './check-leaf.ts'
import { findLostRow } from './lost-rows.ts'
import { atMoment, type Moment, type Place } from './place.ts'

const LEAVES_AT_ONCE = 500

/**
 * Compares every event and change with its leaf, and the leaves with the state of the audit log.
 * Returns the first difference.
 */
export async function walkLog(place: Place): Promise<string | undefined> {
  const { log } = await atMoment(place, async (moment) => moment)
  const frontier = createFrontier(sha256)
  if (!frontier) throw new Error('An empty log has a frontier.')
  let last: bigint | undefined
  for (let at = 0; at < log.size; at += LEAVES_AT_ONCE) {
    const end = Math.min(log.size, at + LEAVES_AT_ONCE)
    const page = await atMoment(place, (moment) => readPage(place, moment, at, end, last))
    const difference = checkPage(place, page, frontier, log)
    if (difference !== undefined) return difference
    last = page.leaves.at(-1)?.number
    place.counts.leaves = end
    place.tell()
  }
  const kept = splitHashes(log.frontier)
  const nodes = frontier.nodes()
  const isSame =
    kept.length === nodes.length && kept.every((node, at) => equalBytes(node, nodes[at] ?? node))
  return isSame
    ? undefined
    : 'The state of the audit log (audit_logs.frontier) does not match its leaves.'
}

interface Page extends LeafRows {
  readonly begin: number
  readonly end: number
  readonly before: bigint | undefined
  readonly leaves: readonly StoredLeaf[]
  readonly feed: readonly FeedRow[]
  readonly lost: string | undefined
}

async function readPage(
  { organizationId }: Place,
  moment: Moment,
  begin: number,
  end: number,
  before: bigint | undefined,
): Promise<Page> {
  const { tx } = moment
  const leaves = await listLeaves(tx, organizationId, begin, end)
  const numbers = leaves.filter(({ kind }) => kind !== BEGINNING).map(({ number }) => number)
  const sources = await findSources(tx, organizationId, numbers)
  const ids = leaves.filter(isOfDecision).map(transactionOf)
  const facts = await findDecisionFacts(tx, organizationId, ids)
  const kept = await findKeptDecisions(tx, organizationId, ids)
  const [first, last] = [before ?? leaves[0]?.number ?? 0n, numbers.at(-1) ?? 0n]
  return {
    ...{ begin, end, before, leaves, sources, facts },
    kept: new Map(kept.map((row) => [row.id, row])),
    feed: await listFeedRows(tx, organizationId, first, last),
    begunWith: await findBegunWith(tx, organizationId),
    pruned: await moment.pruned(),
    lost: await findLostRow(moment, organizationId, leaves),
  }
}

/** Checks the leaves of a page in order, then rows without a leaf, then missing rows. */
function checkPage(
  place: Place,
  page: Page,
  frontier: Frontier,
  log: Moment['log'],
): string | undefined {
  const { leaves, begin, end, feed } = page
  const rows = new Map(feed.map((row) => [row.number, row]))
  let before = page.before
  for (const leaf of leaves) {
    const index = frontier.size()
    const mistake =
      misplaced(leaf, index, before) ?? checkLeaf(place, page, leaf, rows.get(leaf.number))
    if (mistake !== undefined) return `Leaf ${index} (${leaf.kind} of ${leaf.subject}): ${mistake}.`
    before = leaf.number
    rows.delete(leaf.number)
    frontier.append(leaf.hash)
    if (!isOfNote(place, log, frontier)) return WRONG_NOTE
  }
  if (leaves.length < end - begin) return `Leaf ${frontier.size()} of the audit log is missing.`
  const more = [...rows.values()].find(({ isSample }) => !isSample)
  if (more)
    return `Number ${more.number} of the feed has no leaf: its row was added after the feed was sealed.`
  return page.lost
}

const WRONG_NOTE = 'The signed checkpoint of the audit log does not match its leaves.'

function misplaced(
  leaf: StoredLeaf,
  index: number,
  before: bigint | undefined,
): string | undefined {
  if (leaf.index !== index) return `it is in the place of leaf ${index}`
  const isRepeated = before !== undefined && leaf.number <= before && index > 1
  return isRepeated ? `it repeats the number ${leaf.number} of the feed` : undefined
}

/**
 * This compares only the content of the checkpoint. `purser verify` checks the signatures, with
 * keys from an independent source.
 */
function isOfNote({ organizationId }: Place, log: Moment['log'], frontier: Frontier): boolean {
  if (log.note === null || frontier.size() !== log.signedSize) return true
  const [origin, size, root] = log.note.split('\n')
  const isNamed = origin === logOf(organizationId) && size === `${log.signedSize}`
  return isNamed && root === toBase64(frontier.root())
}
