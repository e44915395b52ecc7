import { reachOf } from '../../core/decision/past.ts'
import type { Mandate } from '../../core/mandates/mandate.ts'
import { compilePolicy, type Policy, seriesOf } from '../../core/mandates/policy.ts'
import type { Micros } from '../../core/money.ts'
import type { RecordedDecision } from '../../core/replay/recorded-decision.ts'
import { createReplay, type Replay } from '../../core/replay/replay.ts'
import { type BacktestReport, createReport } from '../../core/replay/report.ts'
import type { Rule } from '../../core/rules/rule-set.ts'
import type { Instant } from '../../core/time/instant.ts'
import { findTree } from '../../storage/decisions/past.ts'
import type { Database } from '../../storage/engine/database.ts'
import { createRecordedPolicies, type RecordedPolicies } from '../recorded-policies.ts'
import { createPace, type Pace } from './pace.ts'
import { readHistoryPages } from './read-history.ts'

/** Counters, vendors and open holds that a backtest keeps in memory: about a hundred megabytes. */
const REMEMBERED_MAX = 250_000

export interface BacktestRequest {
  readonly organizationId: string
  readonly mandate: Mandate
  /** Judged instead of the mandate's own rules. */
  readonly rules: readonly Rule[]
  readonly examplesMax: number
  /** Replaces the budget that the mandate had at each decision. */
  readonly budgetTotal?: Micros | undefined
  /** Replays the agent's spends under its other mandates too. */
  readonly isWholeHistory?: boolean
  /** Earlier spends keep their decisions. */
  readonly from?: Instant | undefined
  /** Spends from here on are not replayed. */
  readonly until?: Instant | undefined
  /** The start of the backtest. Spends committed later are not read. */
  readonly to: Instant
  /**
   * The backtest ends if it would have to keep more entries than this; tests use a smaller limit.
   */
  readonly rememberedMax?: number
}

export interface BacktestProgress {
  readonly replayed: number
  readonly replayedTo: Instant | null
}

export interface BacktestWatch {
  /** The number of spends submitted to this process so far. */
  decided(): number
  /** The number of backtests that run in this process. */
  atOnce(): number
  /** Whether to stop here, with a partial result. */
  isOver(): boolean
  onPage(progress: BacktestProgress): Promise<void> | void
}

export interface BacktestResult extends BacktestReport {
  /** Whether it ended before the end of the past. */
  readonly isPartial: boolean
}

/**
 * Replays the past of a mandate's agent through other rules. It reads page by page and yields to
 * everything else between short turns, so that live decisions are hardly delayed.
 */
export async function backtest(
  db: Database,
  request: BacktestRequest,
  watch: BacktestWatch,
): Promise<BacktestResult> {
  const { organizationId, mandate, rules, rememberedMax = REMEMBERED_MAX } = request
  const { budgetTotal, isWholeHistory = false, from, until } = request
  const { id } = mandate
  const counting = countingPolicy(request)
  const tree = await findTree(db, organizationId, id)
  const recorded = createRecordedPolicies(db, organizationId)
  const proposed = createRecordedPolicies(db, organizationId, (mandateId) =>
    mandateId === id ? rules : undefined,
  )
  const replay = createReplay({
    organizationId,
    agentId: mandate.agentId,
    mandateId: id,
    treeIds: new Set(tree.map((member) => member.id)),
    recorded: recorded.of,
    proposed: (version) => proposed.of({ id, version }),
    counting,
    ...{ budgetTotal, isWholeHistory, from, until },
  })
  const report = createReport(request.examplesMax, request)
  const pace = createPace(watch)
  let isPartial = false
  const agentIds = agentsOf(request, tree, counting)
  const to = Math.min(request.to, until ?? request.to)
  const since = sinceOf(request, counting)
  for await (const page of readHistoryPages(db, organizationId, agentIds, to, since)) {
    await loadPolicies(page, id, recorded, proposed)
    isPartial = (await replayPage(replay, page, report, pace, watch)) || replay.size > rememberedMax
    if (isPartial) break
    await watch.onPage({ replayed: report.count, replayedTo: report.lastAt ?? null })
    // Reading the page has used up processing time too.
    isPartial = await giveWay(pace, watch)
    if (isPartial) break
  }
  return { ...report.report(), isPartial }
}

/** In a whole history the mandate is active all the time, so its own dates do not count. */
function countingPolicy({ mandate, rules, budgetTotal, isWholeHistory }: BacktestRequest): Policy {
  const { id: mandateId, version } = mandate
  const always = isWholeHistory ? { validFrom: null, validUntil: null } : {}
  const terms = { ...mandate, ...always, rules, budgetTotal: budgetTotal ?? mandate.budgetTotal }
  return compilePolicy({ mandateId, version, hash: 'proposed', terms })
}

/** Only rules that count, and figures of its own, need the spends of the child mandates' agents. */
function agentsOf(
  { mandate: { agentId }, isWholeHistory = false }: BacktestRequest,
  tree: readonly { readonly agentId: string }[],
  counting: Policy,
): string[] {
  const isCounted = isWholeHistory || seriesOf(counting).length > 0
  const below = isCounted ? tree.map((member) => member.agentId) : []
  return [...new Set([agentId, ...below])]
}

/**
 * A capture long after its approval counts at its own time. Holds of the direct path last at most 30
 * days, and those of other paths hardly longer.
 */
const CAPTURED_LATER_MS = 35 * 86_400_000

/** The first instant whose spends the replay must know to judge those from `from` on. */
function sinceOf({ mandate, from, isWholeHistory }: BacktestRequest, counting: Policy): Instant {
  // Vendors are known for ever, and a parent's rule may need them.
  const hasParents = mandate.parentMandateId !== null && !isWholeHistory
  if (from === undefined || counting.needsVendorHistory || hasParents) return 0
  const series = seriesOf(counting)
  if (series.length === 0 && !isWholeHistory) return from
  const { zone, terms } = counting
  const period = isWholeHistory ? (zone.periodAt(terms.budgetPeriod, from)?.start ?? 0) : from
  return Math.min(from, period, reachOf(series, from)) - CAPTURED_LATER_MS
}

/** Returns true if the backtest must end. */
async function replayPage(
  replay: Replay,
  page: readonly RecordedDecision[],
  report: ReturnType<typeof createReport>,
  pace: Pace,
  watch: BacktestWatch,
): Promise<boolean> {
  for (const past of page) {
    if (pace.isTurnOver() && (await giveWay(pace, watch))) return true
    const replayed = replay.next(past)
    if (replayed) report.add(replayed)
  }
  return watch.isOver()
}

/** Returns true if the backtest must end. A rest is long, so it checks before and after. */
async function giveWay(pace: Pace, watch: BacktestWatch): Promise<boolean> {
  if (watch.isOver()) return true
  await pace.giveWay()
  return watch.isOver()
}

async function loadPolicies(
  page: readonly RecordedDecision[],
  mandateId: string,
  recorded: RecordedPolicies,
  proposed: RecordedPolicies,
): Promise<void> {
  const all = page.flatMap(({ inputs }) => (inputs === null ? [] : versionsIn(inputs)))
  const versions = [...new Map(all.map((each) => [`${each.id} ${each.version}`, each])).values()]
  await recorded.load(versions)
  await proposed.load(versions.filter(({ id }) => id === mandateId))
}

const VERSION = /\["([0-9a-f-]{36})",(\d+),"(?:draft|active|revoked|expired)",/g

/** The versions that the inputs name, found without parsing the inputs. */
function versionsIn(inputs: string): { id: string; version: number }[] {
  return [...inputs.matchAll(VERSION)].map(([, id = '', version]) => {
    return { id, version: Number(version) }
  })
}
