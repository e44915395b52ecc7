import { describe, expect, test } from 'vitest'
import { type Book, type DueDay, stepsOf } from '../../../src/core/analytics/book.ts'
import { NOON } from '../desk.ts'

function bookOf(number: number, change: Partial<Book> = {}): Book {
  return {
    book: number,
    zone: 'UTC',
    state: 'shown',
    countedTo: 10n,
    filledTo: null,
    fillEnd: null,
    filledCount: 0n,
    startedAt: NOON,
    ...change,
  }
}

const dueOf = (book: number): DueDay => ({ book, day: '2026-10-15', groupingsRolled: 0, cells: 1n })

function stepsFor(books: readonly Book[], due: readonly DueDay[] = [], zone = 'UTC'): string[] {
  return stepsOf(books, due, { zone, lastNumber: 10n }).map((step) =>
    step.kind === 'open' ? 'open' : `${step.kind} ${step.book.book}`,
  )
}

describe('the totals of an organization', () => {
  test('are opened once, and again if its time zone changes', () => {
    expect(stepsFor([])).toEqual(['open'])
    expect(stepsFor([bookOf(1)])).toEqual([])
    expect(stepsFor([bookOf(1)], [], 'Asia/Tokyo')).toEqual(['open'])
    expect(stepsFor([bookOf(1, { state: 'retired' })])).toEqual(['clear 1', 'open'])
  })

  test('that are shown follow the feed and roll their days, also while others are filled', () => {
    const behind = bookOf(1, { countedTo: 9n })
    expect(stepsFor([behind], [dueOf(1)])).toEqual(['follow 1', 'roll 1'])
    const filling = bookOf(2, { state: 'filling' })
    expect(stepsFor([behind, filling], [dueOf(2)])).toEqual(['follow 1', 'fill 2'])
  })

  test('are shown once they are filled, as far as the shown ones, and rolled', () => {
    const filled = (countedTo: bigint) => bookOf(2, { state: 'filled', countedTo })
    const shown = bookOf(1, { countedTo: 8n })
    expect(stepsFor([shown, filled(7n)])).toEqual(['follow 1', 'follow 2'])
    expect(stepsFor([shown, filled(8n)], [dueOf(2)])).toEqual(['follow 1', 'roll 2'])
    expect(stepsFor([shown, filled(8n)])).toEqual(['follow 1', 'show 2'])
    expect(stepsFor([filled(9n)])).toEqual(['follow 2'])
    expect(stepsFor([filled(10n)])).toEqual(['show 2'])
  })

  test('that are filled for an earlier time zone are given up', () => {
    const filling = bookOf(2, { state: 'filling' })
    expect(stepsFor([bookOf(1), filling], [], 'Asia/Tokyo')).toEqual(['retire 2'])
  })
})
