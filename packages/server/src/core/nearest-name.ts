/** No name of ours is longer, and comparing costs the product of both lengths. */
const LENGTH_MAX = 40

/**
 * The known name that was probably meant by an unknown one: the same but for case, `_` and `-`, or
 * with few letters wrong for its length. Undefined where nothing is near, because a wrong guess
 * misleads more than none.
 */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > LENGTH_MAX) return undefined
  const meant = plain(unknown)
  let nearest: string | undefined
  let fewest = Math.floor(meant.length / 3) + 1
  for (const name of known) {
    const wrong = lettersWrong(meant, plain(name), fewest)
    if (wrong >= fewest) continue
    nearest = name
    fewest = wrong
  }
  return nearest
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/**
 * How many letters have to be put in, left out, replaced or swapped with their neighbour to make
 * one of the other; at least `enough` is as good as any larger number.
 */
function lettersWrong(one: string, other: string, enough: number): number {
  if (Math.abs(one.length - other.length) >= enough) return enough
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        numberAt(last, column) + 1,
        numberAt(current, column - 1) + 1,
        numberAt(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? numberAt(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return numberAt(last, other.length)
}

function numberAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
