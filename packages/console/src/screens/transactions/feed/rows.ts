import type { ListedTransaction } from '@purser/sdk'

/** Rows of the list, newest first. Ids begin with the time, so that their order is that of the list. */
export type Rows = readonly ListedTransaction[]

/** Puts new rows in their place, and replaces those that the list has already. */
export function mergeRows(rows: Rows, fresh: Rows): Rows {
  if (fresh.length === 0) return rows
  const byId = new Map(fresh.map((row) => [row.transactionId, row]))
  let isChanged = false
  const kept = rows.map((row) => {
    const newer = byId.get(row.transactionId)
    if (!newer) return row
    byId.delete(row.transactionId)
    isChanged = true
    return joinRows(row, newer)
  })
  if (byId.size === 0) return isChanged ? kept : rows
  const added = [...byId.values()].toSorted(newestFirst)
  const isAllNewer = !kept[0] || (added.at(-1)?.transactionId ?? '') > kept[0].transactionId
  const all = [...added, ...kept]
  return isAllNewer ? all : all.toSorted(newestFirst)
}

/** An event knows less than the list: fields that it lacks stay. */
function joinRows(row: ListedTransaction, newer: ListedTransaction): ListedTransaction {
  const { evaluationDetails, ...rest } = newer
  return {
    ...row,
    ...rest,
    agentName: newer.agentName ?? row.agentName,
    requestedBy: newer.requestedBy ?? row.requestedBy,
    reason: newer.reason ?? row.reason,
  }
}

/** The next page goes below. A row that moved to this page since the last one is not shown twice. */
export function appendRows(rows: Rows, page: Rows): Rows {
  const known = new Set(rows.map(({ transactionId }) => transactionId))
  return [...rows, ...page.filter(({ transactionId }) => !known.has(transactionId))]
}

/** Changes single rows in place. Rows that the list does not have are left out. */
export function patchRows(
  rows: Rows,
  changes: ReadonlyMap<string, Partial<ListedTransaction>>,
): Rows {
  if (!rows.some(({ transactionId }) => changes.has(transactionId))) return rows
  return rows.map((row) => {
    const change = changes.get(row.transactionId)
    return change ? { ...row, ...change } : row
  })
}

function newestFirst(a: ListedTransaction, b: ListedTransaction): number {
  return a.transactionId < b.transactionId ? 1 : -1
}
