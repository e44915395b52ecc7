import { formatCount } from './money.ts'

/** "1 spend", "3 spends". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** The middle of a long id is left out: "txn_01a1e8…7d2c". */
export function shortId(id: string): string {
  const at = id.indexOf('_') + 1
  return id.length - at <= 14 ? id : `${id.slice(0, at + 6)}…${id.slice(-4)}`
}

/** "TB" for "Travel booker". */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s_.-]+/u)
    .filter(Boolean)
  const letters = words.length > 1 ? [words[0], words[1]] : [words[0], words[0]?.slice(1)]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
