/** A number with its noun, such as `1 row` or `2,000 rows`. */
export function countOf(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : nouns}`
}
