import { expect } from 'vitest'
import type { Database, Queryable, Statement, Tx } from '../../src/storage/engine/database.ts'

/** The work of a statement in the database, in pages and rows. */
export interface StatementWork {
  /** The statement's name, or its first words. */
  readonly name: string
  /** Tables that were scanned completely. */
  readonly wholeTables: readonly string[]
  /**
   * The largest number of rows of mandates and agents that a single scan read, including rows that
   * did not match.
   */
  readonly rows: number
  /** All pages that were touched, including those written. */
  readonly pages: number
  readonly plan: string
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

/** Wraps the database so that nothing is committed, and records the statements of each transaction. */
export function keepStatements(db: Database, kept: Statement[]): Database {
  const watch = (tx: Tx): Tx => ({
    ...tx,
    query: (statement) => {
      kept.push(statement)
      return tx.query(statement)
    },
    send: (statement) => {
      kept.push(statement)
      tx.send(statement)
    },
  })
  return {
    ...db,
    transaction: async (run) => {
      await db
        .transaction(async (tx) => {
          await run(watch(tx))
          throw new NotCommitted()
        })
        .catch((error: unknown) => {
          if (!(error instanceof NotCommitted)) throw error
        })
      throw Object.assign(new NotCommitted(), { code: TIMED_OUT })
    },
  }
}

/** After this error, the gateway does not retry spend by spend. */
const TIMED_OUT = '57014'

export class NotCommitted extends Error {}

/**
 * Runs recorded statements again in their order and in one transaction, with the generic plan that
 * serves every batch. Statements that configure the planner are run before them.
 */
export async function readWork(
  db: Database,
  statements: readonly Statement[],
  afterPlanning: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<StatementWork[]> {
  const work: StatementWork[] = []
  const isOver = new NotCommitted()
  await db
    .transaction(async (tx) => {
      const isPlanned = (statement: Statement) => (statement.values ?? []).length > 0
      const named = [...statements.entries()].map(([index, statement]) => ({
        ...statement,
        plan: `planned_${index}`,
      }))
      for (const statement of statements.filter(isSetting)) await tx.query(statement)
      for (const { plan, text, values = [] } of named.filter(isPlanned)) {
        await tx.query({ text: `prepare ${plan} as ${text}` })
        await tx.query({ text: `explain execute ${plan} (${values.map(toLiteral).join(', ')})` })
      }
      await afterPlanning(tx)
      for (const { plan, name, text, values = [] } of named.filter(isPlanned)) {
        const literals = values.map(toLiteral).join(', ')
        const [row] = await tx.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>({
          text: `explain (analyze, buffers, timing off, format json) execute ${plan} (${literals})`,
        })
        if (row) work.push(workOf(name ?? text.trim().slice(0, 40), row['QUERY PLAN'][0].Plan))
      }
      for (const { plan } of named.filter(isPlanned)) await tx.query({ text: `deallocate ${plan}` })
      throw isOver
    })
    .catch((error: unknown) => {
      if (error !== isOver) throw error
    })
  return work
}

/** Each statement that is sent touches fewer pages than this. */
export async function expectPagesBelow(
  most: number,
  db: Database,
  run: (db: Queryable) => Promise<unknown>,
): Promise<void> {
  const sent: Statement[] = []
  await run({
    query: (statement) => {
      sent.push(statement)
      return db.query(statement)
    },
  })
  for (const { name, pages, plan } of await readWork(db, sent)) {
    expect(pages, `${name} ${plan}`).toBeLessThan(most)
  }
}

function isSetting({ text }: Statement): boolean {
  return /^\s*set local|set_config/.test(text)
}

function workOf(name: string, plan: PlanNode): StatementWork {
  const nodes = [...nodesOf(plan)]
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  return {
    name,
    wholeTables: whole.map((node) => node['Relation Name'] ?? ''),
    rows: Math.max(0, ...nodes.filter(isOfSpenders).map(rowsOf)),
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    plan: JSON.stringify(plan, undefined, 1),
  }
}

function isOfSpenders(node: PlanNode): boolean {
  const place = node['Relation Name'] ?? node['Index Name'] ?? node['Node Type']
  return /^(mandates|one_active_mandate|agents|.*(Join|Loop)$)/.test(place)
}

function rowsOf(node: PlanNode): number {
  const seen =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  return seen * node['Actual Loops']
}

function* nodesOf(plan: PlanNode): Generator<PlanNode> {
  yield plan
  for (const node of plan.Plans ?? []) yield* nodesOf(node)
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) throw new Error('Arrays are passed as text.')
  return `'${String(value).replaceAll("'", "''")}'`
}
