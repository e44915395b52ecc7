const DEFAULT = [80]
const LEVELS_MAX = 10

export const LEVELS_PROBLEM = `Enter at most ${LEVELS_MAX} whole numbers from 1 to 99, with commas.`

export function levelsField(levels: readonly number[] = DEFAULT): string {
  return levels.join(', ')
}

/** The levels that a person has typed, sorted. Null if they cannot be read. */
export function readLevels(text: string): readonly number[] | null {
  const parts = text
    .split(/[\s,]+/)
    .map((part) => part.replace(/%$/, ''))
    .filter((part) => part !== '')
  if (parts.length > LEVELS_MAX || parts.some((part) => !/^[1-9]\d?$/.test(part))) return null
  return [...new Set(parts.map(Number))].toSorted((a, b) => a - b)
}
