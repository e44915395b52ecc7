interface AnyPage {
  readonly data: readonly unknown[]
  readonly nextCursor: string | null
}

const PAGES_MAX = 20

/**
 * Reads a page. The gateway searches a bounded number of rows for one, so a page can be empty although
 * more follow. Then it goes on until it has rows or the list ends.
 */
export async function readOn<Page extends AnyPage>(
  read: (cursor: string | undefined) => Promise<Page>,
  cursor: string | undefined,
): Promise<Page> {
  let page = await read(cursor)
  for (let pages = 1; pages < PAGES_MAX && page.data.length === 0 && page.nextCursor; pages++) {
    page = await read(page.nextCursor)
  }
  return page
}
