import type { Instant } from '../time/instant.ts'

/** The totals of an organization in one time zone, up to one number of its feed. */
export interface Book {
  readonly book: number
  readonly zone: string
  readonly state: 'filling' | 'filled' | 'shown' | 'retired'
  readonly countedTo: bigint
  readonly filledTo: string | null
  readonly fillEnd: string | null
  readonly filledCount: bigint
  readonly startedAt: Instant
}

/** A day of a book that must be rolled into totals, and how many of its groupings are done. */
export interface DueDay {
  readonly book: number
  readonly day: string
  readonly groupingsRolled: number
  readonly cells: bigint
}

/** The time zone of the organization, and the last number of its feed. */
export interface FeedEnd {
  readonly zone: string
  readonly lastNumber: bigint
}

/** The next step for the books of an organization. */
export type BookStep =
  | { readonly kind: 'open' }
  | { readonly kind: 'fill' | 'follow' | 'show' | 'retire' | 'clear'; readonly book: Book }
  | { readonly kind: 'roll'; readonly book: Book; readonly due: DueDay }

/**
 * All steps that are due, each at most once; the caller runs them and asks again. A book is filled from
 * the record (transactions in the order of their ids, as they were at the feed number at which it was
 * opened). Then it follows the feed, its days are rolled, and it is shown once it has caught up with
 * the shown book. Until then the old book is kept up to date and shown.
 */
export function stepsOf(
  books: readonly Book[],
  dueDays: readonly DueDay[],
  { zone, lastNumber }: FeedEnd,
): BookStep[] {
  const dueOf = (book: Book) => dueDays.find((due) => due.book === book.book)
  const shown = books.find(({ state }) => state === 'shown')
  const next = books.find(({ state }) => state === 'filling' || state === 'filled')
  const steps: BookStep[] = books
    .filter(({ state }) => state === 'retired')
    .map((book) => ({ kind: 'clear', book }))
  if (shown && shown.countedTo < lastNumber) steps.push({ kind: 'follow', book: shown })
  const due = shown && dueOf(shown)
  if (due) steps.push({ kind: 'roll', book: shown, due })
  if (!next) return shown?.zone === zone ? steps : [...steps, { kind: 'open' }]
  if (next.zone !== zone) return [...steps, { kind: 'retire', book: next }]
  const end = shown?.countedTo ?? lastNumber
  return [...steps, stepOf(next, dueOf(next), end)]
}

function stepOf(book: Book, due: DueDay | undefined, end: bigint): BookStep {
  if (book.state === 'filling') return { kind: 'fill', book }
  if (book.countedTo < end) return { kind: 'follow', book }
  return due ? { kind: 'roll', book, due } : { kind: 'show', book }
}
