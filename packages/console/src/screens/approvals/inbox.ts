import type { Approval } from '@purser/sdk'

/** A row of the inbox. Answered rows stay in their place until the person leaves the page. */
export interface InboxRow {
  readonly approval: Approval
  readonly isWaiting: boolean
}

/** Answered rows that stay, so that a long day does not fill the list. */
const ANSWERED_MAX = 20

/** The waiting requests by time left, and those that were answered since the page opened. */
export function mergeInbox(
  rows: readonly InboxRow[],
  waiting: readonly Approval[],
): readonly InboxRow[] {
  const ids = new Set(waiting.map(({ id }) => id))
  const answered = rows
    .filter(({ approval }) => !ids.has(approval.id))
    .map(({ approval }) => ({ approval, isWaiting: false }))
    .slice(-ANSWERED_MAX)
  return [...answered, ...waiting.map((approval) => ({ approval, isWaiting: true }))].toSorted(
    (a, b) => order(a.approval, b.approval),
  )
}

function order(a: Approval, b: Approval): number {
  return a.expiresAt.localeCompare(b.expiresAt) || a.id.localeCompare(b.id)
}

/** The row above or below the chosen one; the first row if none is chosen. */
export function neighbour(
  rows: readonly { readonly id: string }[],
  id: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = rows.findIndex((row) => row.id === id)
  return at < 0 ? rows[0]?.id : rows[at + step]?.id
}

/** The next request that still waits, after the answered one or from the top. */
export function nextWaiting(rows: readonly InboxRow[], id: string): Approval | undefined {
  const at = rows.findIndex(({ approval }) => approval.id === id)
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))]
  return others.find(({ isWaiting, approval }) => isWaiting && approval.id !== id)?.approval
}

/** The most requests that one answer can have: the first and 50 others. */
export const TOGETHER_MAX = 51

/** Why a request cannot join the selection, as a sentence; undefined if it can. */
export function whyNotSelect(
  approval: Approval,
  selected: readonly Approval[],
): string | undefined {
  if (approval.status !== 'pending') return 'This request is answered.'
  if (!approval.mayDecide) return 'You may not decide this request.'
  const [first] = selected
  if (first && first.mandateId !== approval.mandateId) {
    return 'Only requests under the same mandate can be answered together.'
  }
  return selected.length >= TOGETHER_MAX
    ? `At most ${TOGETHER_MAX} requests can be answered together.`
    : undefined
}
