export interface Findable {
  label: string
  value: string
}

const MOST = 200

/** The options that fit a text: those that begin with it first, then those that contain it. */
export function matches<T extends Findable>(options: readonly T[], text: string): T[] {
  const wanted = text.trim().toLocaleLowerCase('en')
  if (wanted === '') return options.slice(0, MOST)
  const begins: T[] = []
  const contains: T[] = []
  for (const option of options) {
    const label = option.label.toLocaleLowerCase('en')
    if (label.startsWith(wanted)) begins.push(option)
    else if (label.includes(wanted) || option.value.toLocaleLowerCase('en').includes(wanted)) {
      contains.push(option)
    }
  }
  return [...begins, ...contains].slice(0, MOST)
}

/** The index that a key moves to. -1 is the text itself, which only free text can choose. */
export function movedOption(
  key: string,
  index: number,
  count: number,
  hasText: boolean,
): number | null {
  if (count === 0) return null
  const lowest = hasText ? -1 : 0
  if (key === 'ArrowDown') return index + 1 >= count ? lowest : index + 1
  if (key === 'ArrowUp') return index - 1 < lowest ? count - 1 : index - 1
  return null
}
