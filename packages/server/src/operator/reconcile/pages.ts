/** Reads page by page, each after the last row of the previous page. */
export async function* pagesOf<Row, Key>(
  read: (after: Key) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  { first, size }: { readonly first: Key; readonly size: number },
): AsyncGenerator<Row[]> {
  let after = first
  for (;;) {
    const rows = await read(after)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) return
    after = keyOf(last)
  }
}

/** Sorts before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
