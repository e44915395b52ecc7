import { tell } from '../output/print.ts'

interface Page {
  readonly data: readonly unknown[]
  readonly total: number
  readonly totalIsExact: boolean
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/** Says that a list is empty, or how to get its next page. */
export function tellPage(things: string, page: Page): void {
  const { data, total, totalIsExact, hasMore, nextCursor } = page
  const all = totalIsExact ? `${total}` : `more than ${total}`
  if (data.length === 0 && hasMore) {
    // The gateway searches a bounded number of rows for one page.
    tell(`No ${things} among those that were searched. Next page: --cursor ${nextCursor}`)
  } else if (data.length === 0) tell(`No ${things}.`)
  else if (hasMore) tell(`${data.length} of ${all} ${things}. Next page: --cursor ${nextCursor}`)
}
