import type { Queryable, Statement } from '../engine/queryable.ts'
import { refusedFor } from './node-problem.ts'
import type { Nodes } from './nodes.ts'

/**
 * Where a list over all organizations can be narrowed: a comment that names the column. Each table has
 * one, because a worker is left out only if a condition on every table says so.
 */
const MARK = /\/\*among ([\w.]+)\*\//

/** The same list for these organizations only. */
export function narrowTo({ text, values = [] }: Statement, among: readonly string[]): Statement {
  const narrowed = text.replaceAll(
    new RegExp(MARK, 'g'),
    (_mark, column: string) => `and ${column} = any($${values.length + 1}::uuid[])`,
  )
  return { text: narrowed, values: [...values, among] }
}

/** The organizations whose nodes answer, while a node is away. */
export interface Reachable {
  /** The statement to send: a list over all organizations omits those whose node is away. */
  narrowed(statement: Statement): Statement
  /** Reads the organizations, if the last reading is old. */
  refresh(): void
}

const READ_EVERY_MS = 1_000
/** Bounds the list in a statement. If there are more organizations, each reading has the next part. */
const ORGANIZATIONS_MAX = 5_000
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * A list over all organizations needs every node. While one is away, it is sent for the organizations of
 * the others, which the tables on the coordinator name.
 */
export function createReachable(db: Queryable, nodes: Nodes): Reachable {
  let known: readonly string[] | undefined
  let readTo = FIRST
  let readAt = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    const rows = await db.query<{ id: string }>({
      text: `
        select organization_id as id from api_keys where organization_id > $1
        union select organization_id from sign_in_members where organization_id > $1
        order by id limit $2`,
      values: [readTo, ORGANIZATIONS_MAX],
    })
    known = rows.map(({ id }) => id)
    readTo = rows.length < ORGANIZATIONS_MAX ? FIRST : (known.at(-1) ?? FIRST)
  }

  return {
    narrowed(statement) {
      const away = nodes.all().find(({ isAway }) => isAway)
      if (away === undefined || !MARK.test(statement.text)) return statement
      // The next round has the organizations.
      if (known === undefined) throw refusedFor(away.address)
      const among = known.filter((id) => nodes.ofOrganization(id)?.isAway === false)
      return narrowTo(statement, among)
    },
    refresh() {
      const now = performance.now()
      if (now - readAt < READ_EVERY_MS) return
      readAt = now
      // After a failure, the next turn tries again.
      void read().catch(() => {})
    },
  }
}
