export interface JsonLine {
  readonly change: 'same' | 'new' | 'old'
  readonly text: string
}

/** Above this, the comparison would take too much time and memory. */
const CELLS_MAX = 4_000_000

/** The lines of two texts, with those that were removed and added. The longest common part stays. */
export function compareLines(before: string, after: string): readonly JsonLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const most = Math.min(a.length, b.length)
  let head = 0
  while (head < most && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1
  const [oldPart, newPart] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)]
  const isLong = oldPart.length * newPart.length > CELLS_MAX
  return [
    ...marked(a.slice(0, head), 'same'),
    ...(isLong
      ? [...marked(oldPart, 'old'), ...marked(newPart, 'new')]
      : comparePart(oldPart, newPart)),
    ...marked(a.slice(a.length - tail), 'same'),
  ]
}

function marked(lines: readonly string[], change: JsonLine['change']): readonly JsonLine[] {
  return lines.map((text) => ({ change, text }))
}

function comparePart(a: readonly string[], b: readonly string[]): readonly JsonLine[] {
  const lengths = commonLengths(a, b)
  const lines: JsonLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [one = '', two = ''] = [a[i], b[j]]
    const isOld = j >= b.length || at(lengths, i + 1, j) >= at(lengths, i, j + 1)
    if (i < a.length && j < b.length && one === two) {
      lines.push({ change: 'same', text: one })
      i += 1
      j += 1
    } else if (i < a.length && isOld) {
      lines.push({ change: 'old', text: one })
      i += 1
    } else {
      lines.push({ change: 'new', text: two })
      j += 1
    }
  }
  return lines
}

/** The length of the longest common part of the lines from `i` and `j` on. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (!row) continue
      row[j] =
        a[i] === b[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1))
    }
  }
  return lengths
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0
}
