import type { Call, List } from './call.ts'

/** The fields that pages of all lists have. */
interface AnyPage {
  readonly data: readonly unknown[]
  readonly hasMore: boolean
  readonly nextCursor?: string | number | null
}

/** The query of a page: the filters of the list, and the place of the page. */
interface Place {
  readonly cursor?: string | number | undefined
  readonly offset?: number | undefined
}

/**
 * Makes a list whose pages `read` gets. A list without cursors is paged by offset.
 */
export function createList<T, Page>(
  read: (query: object | undefined) => Call<Page>,
  query: Place | undefined,
  byOffset: boolean,
): List<T, Page> {
  async function* entries(): AsyncGenerator<T> {
    let next: Place | undefined = { ...query }
    while (next) {
      const page = (await read(next)) as AnyPage
      yield* page.data as readonly T[]
      next = placeAfter(next, page, byOffset)
    }
  }
  return {
    [Symbol.asyncIterator]: entries,
    page: () => read(query),
    async toArray({ limit }) {
      const found: T[] = []
      if (limit <= 0) return found
      for await (const entry of entries()) {
        found.push(entry)
        if (found.length >= limit) break
      }
      return found
    },
  }
}

/** Returns undefined after the last page. */
function placeAfter(place: Place, page: AnyPage, byOffset: boolean): Place | undefined {
  if (!page.hasMore) return undefined
  if (byOffset) return { ...place, offset: (place.offset ?? 0) + page.data.length }
  const { nextCursor: cursor = null } = page
  // The first page may have been asked for by offset. The next ones have a cursor instead.
  return cursor === null ? undefined : { ...place, offset: undefined, cursor }
}
