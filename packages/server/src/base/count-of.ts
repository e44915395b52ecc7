/** A number with its noun, such as `1 transfer` or `2 transfers`. */
export function countOf(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`
}
