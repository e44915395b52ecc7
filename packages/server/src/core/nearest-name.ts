/** No name of ours is longer, and comparing takes time in proportion to the product of both lengths. */
const LENGTH_MAX = 40

/** A shorter beginning of a word says nothing about the rest. */
const BEGINNING_MIN = 3

/**
 * The known name that an unknown one probably means: one that has all its words, or the reverse, such
 * as `agentId` for `agent`; one with few wrong letters for its length; or one whose words are
 * abbreviations of its own, or the reverse, such as `max` for `maximum`. Undefined if nothing is near,
 * because a wrong guess misleads more than none.
 */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > LENGTH_MAX) return undefined
  return (
    nearestInWords(unknown, known, (one, other) => one === other) ??
    nearestInLetters(unknown, known) ??
    nearestInWords(unknown, known, isShortFor)
  )
}

/** The first name with the smallest difference in the number of words. */
function nearestInWords(
  unknown: string,
  known: readonly string[],
  isSame: (one: string, other: string) => boolean,
): string | undefined {
  const hasAll = (words: readonly string[], wanted: readonly string[]): boolean =>
    wanted.length > 0 && wanted.every((one) => words.some((word) => isSame(word, one)))
  const meant = wordsOf(unknown)
  let nearest: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const name of known) {
    const words = wordsOf(name)
    const apart = Math.abs(words.length - meant.length)
    if (apart >= fewest || !(hasAll(words, meant) || hasAll(meant, words))) continue
    nearest = name
    fewest = apart
  }
  return nearest
}

/** Leaves out `id`, because nearly all names have it. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]+/)
    .filter((word) => !['', 'id', 'ids'].includes(word))
}

function isShortFor(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= BEGINNING_MIN && long.startsWith(short)
}

function nearestInLetters(unknown: string, known: readonly string[]): string | undefined {
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
 * The number of letters to insert, delete, replace or swap with their neighbour to turn one into the
 * other. It stops at `enough`, since larger numbers make no difference.
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
