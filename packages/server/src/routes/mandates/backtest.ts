import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import { actsFor } from '../../core/api-key.ts'
import type { Mandate } from '../../core/mandates/mandate.ts'
import { rulesWiderThanAbove } from '../../core/mandates/narrowing.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import { toMicros } from '../../core/money.ts'
import { parseRules, type Rule } from '../../core/rules/rule-set.ts'
import { type Warning, warningsOf } from '../../core/rules/warnings.ts'
import type { BacktestProgress, BacktestResult } from '../../gateway/backtest/backtest.ts'
import type { CallerWatch } from '../../gateway/backtest/backtests.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { ANSWER_WITHIN_MS } from '../../http/answer-time.ts'
import type { App } from '../../http/app.ts'
import type { WatchPrincipal } from '../../http/auth/credential-watch.ts'
import { fromPublicId, toTimestamp } from '../../http/document/schemas.ts'
import { whenOver } from '../../http/limits/when-over.ts'
import { NDJSON, wantsLines } from '../../http/ndjson.ts'
import { tellOperator, toProblem } from '../../http/problems.ts'
import { readTimes } from '../../http/validation/query-times.ts'
import type { Database } from '../../storage/engine/database.ts'
import { findVersionRules } from '../../storage/mandate-versions.ts'
import { findAncestors, findMandate } from '../../storage/mandates.ts'
import { Backtest, BacktestInput } from './backtest-shape.ts'
import { BACKTEST_LINES_EXAMPLE } from './examples.ts'
import { MandatePath } from './mandates.ts'

/** A caller who accepts NDJSON gets a line each second, so that no proxy times out. */
const LINES_MS_MAX = 60 * 60_000
const PROGRESS_MS = 1_000

interface BacktestParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly watch: WatchPrincipal
}

/** `POST /mandates/:id/backtest`: the decisions that other rules would have made. */
export function backtestRoutes(app: App, { db, gateway, watch }: BacktestParts): void {
  // The listener stops before the gateway does, and waits for every response.
  app.addHook('preClose', gateway.endBacktests)

  app.route({
    method: 'POST',
    url: '/mandates/:id/backtest',
    schema: {
      operationId: 'backtestMandate',
      summary: "Backtest rules against the agent's history",
      description:
        "Replays the spends that the agent requested under this mandate with different rules, or with the rules of another version. Budgets, time windows, duplicates, vendors and approvals are as they would have been under those rules. With `from` and `to`, it replays only the decisions between them; with `budgetTotal`, it tests another budget; with `agentHistory`, it adds the spends under the agent's other mandates. Nothing is changed. With `Accept: application/x-ndjson`, the response has a line with the progress every second, and the report as its last line; close the connection to stop the backtest. Otherwise the response arrives within 50 seconds, with `partial: true` if later decisions are left.",
      tags: ['Mandates'],
      params: MandatePath,
      body: BacktestInput,
      response: {
        200: {
          description:
            'The report. As NDJSON: lines with the progress, then the report as the last line.',
          content: {
            'application/json': { schema: Backtest },
            [NDJSON]: { schema: Type.String(), example: BACKTEST_LINES_EXAMPLE },
          },
        },
      },
    },
    config: {
      scope: 'mandates:read',
      changesNothing: true,
      problems: ['mandate_not_found', 'backtest_running', 'expressions_too_costly'],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, params, body } = request
      const id = fromPublicId('mnd', params.id)
      const named = await findMandate(db, organizationId, id)
      if (!named || !actsFor(principal, named.agentId)) throw mandateNotFound(params.id)
      const { from, until } = timesIn(body, request.timezone)
      const mandate = await changedBy(db, organizationId, named)
      const [rules, above] = await Promise.all([
        rulesIn(db, organizationId, named, body),
        findAncestors(db, organizationId, mandate.id),
      ])
      const budgetTotal = budgetIn(body) ?? (mandate === named ? undefined : named.budgetTotal)
      const warnings = [
        ...warningsOf(rules, budgetTotal ?? mandate.budgetTotal, mandate.budgetPeriod),
        ...rulesWiderThanAbove(rules, above),
      ]
      const { examples: examplesMax = 10, agentHistory: isWholeHistory = false } = body
      const tested = { mandate, rules, budgetTotal, isWholeHistory, from, until }
      const begun = await gateway.beginBacktest({ organizationId, ...tested, examplesMax })
      const isGone = watchCaller(request, reply, watch)
      const run = async (watched: CallerWatch) => toBody(await begun.run(watched), warnings)
      if (wantsLines(request.headers.accept)) return sendLines(request, reply, run, isGone)
      const isLate = after(ANSWER_WITHIN_MS)
      return run({ isOver: () => isGone() || isLate() })
    },
  })
}

/**
 * The mandate whose history is replayed. A draft of the next version has none of its own: it is
 * tested on the mandate that it changes.
 */
async function changedBy(db: Database, organizationId: string, named: Mandate): Promise<Mandate> {
  if (named.draftOf === null) return named
  return (await findMandate(db, organizationId, named.draftOf)) ?? named
}

function budgetIn({ budgetTotal }: Static<typeof BacktestInput>): bigint | undefined {
  return budgetTotal === undefined ? undefined : toMicros(budgetTotal)
}

async function rulesIn(
  db: Database,
  organizationId: string,
  mandate: Mandate,
  { rules, version, budgetTotal, agentHistory }: Static<typeof BacktestInput>,
): Promise<readonly Rule[]> {
  if (rules !== undefined && version !== undefined) {
    const message = 'cannot be combined with rules: send one of them'
    throw invalidFields([{ path: '/version', code: 'conflict', message }])
  }
  if (rules !== undefined) return parseRules(rules)
  if (version === undefined) {
    const isWhole = budgetTotal !== undefined || agentHistory || mandate.draftOf !== null
    if (isWhole) return mandate.rules
    const message = 'is required unless version is set'
    throw invalidFields([{ path: '/rules', code: 'required', message }])
  }
  const found = await findVersionRules(db, organizationId, mandate.id, version)
  if (found) return found
  const message = 'is not a version of this mandate; GET /mandates/:id/versions lists them'
  throw invalidFields([{ path: '/version', code: 'unknown_version', message }])
}

/** The range of decisions to replay. */
function timesIn({ from: first, to: end }: Static<typeof BacktestInput>, timezone: string) {
  const { from } = readTimes({ from: first }, timezone)
  const { to: until } = readTimes({ to: end }, timezone)
  if (from === undefined || until === undefined || from < until) return { from, until }
  throw invalidFields([{ path: '/to', code: 'range', message: 'must be after from' }])
}

/** Whether the caller has disconnected. The end of its key also stops the backtest. */
function watchCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  watch: WatchPrincipal,
): () => boolean {
  let isGone = false
  const unwatch = watch(request.principal, () => reply.raw.destroy())
  whenOver(request, reply, () => {
    unwatch()
    isGone = true
  })
  return () => isGone
}

/** Lines are few and short, so they are buffered for a caller who reads slowly. */
function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  run: (watched: CallerWatch) => Promise<Static<typeof Backtest>>,
  isGone: () => boolean,
) {
  const stream = new PassThrough()
  const isLate = after(LINES_MS_MAX)
  let progress: BacktestProgress = { replayed: 0, replayedTo: null }
  const tell = (line: object): void => void stream.write(`${JSON.stringify(line)}\n`)
  const tellProgress = (): void => {
    const { replayed, replayedTo } = progress
    tell({ progress: { replayed, replayedTo: toTimestamp(replayedTo) } })
  }
  const timer = setInterval(tellProgress, PROGRESS_MS)
  const running = run({
    isOver: () => isGone() || isLate(),
    onProgress: (made) => {
      progress = made
    },
  })
  running
    .then((report) => tell({ report }))
    .catch((error: unknown) => {
      const problem = toProblem(error)
      tellOperator(problem, request)
      const { code, status, title, message: detail } = problem
      tell({ problem: { code, status, title, detail } })
    })
    .finally(() => {
      clearInterval(timer)
      stream.end()
    })
  return reply
    .header('content-type', `${NDJSON}; charset=utf-8`)
    .header('x-accel-buffering', 'no')
    .send(stream as never)
}

function toBody(
  { isPartial, ...report }: BacktestResult,
  warnings: Warning[],
): Static<typeof Backtest> {
  return { partial: isPartial, ...report, warnings }
}

function after(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() > end
}
