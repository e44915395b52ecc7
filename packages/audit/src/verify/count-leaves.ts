/** `1 leaf`, or `2 leaves`. `shown` is the number as a text, if it is written differently. */
export function countLeaves(count: number, shown = String(count)): string {
  return `${shown} ${count === 1 ? 'leaf' : 'leaves'}`
}
