export const WEEK = 7

/** The index that a key moves to, or null if the key is not for the chart. */
export function movedIndex(key: string, index: number, count: number): number | null {
  const target = targetOf(key, index, count)
  return target === null ? null : Math.min(count - 1, Math.max(0, target))
}

function targetOf(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return index - 1
    case 'ArrowRight':
      return index + 1
    case 'PageUp':
      return index - WEEK
    case 'PageDown':
      return index + WEEK
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
