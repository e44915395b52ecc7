import type { MandateVersion } from '@purser/sdk'

export interface Pair {
  readonly a: MandateVersion
  readonly b: MandateVersion
}

/**
 * The two versions of the address. Without them, the newest and the one before it. The older one
 * is always on the left, so that the right side reads as the change. `versions` are newest first.
 */
export function chosenPair(
  versions: readonly MandateVersion[],
  a: string | undefined,
  b: string | undefined,
): Pair | undefined {
  const find = (text: string | undefined) =>
    versions.find(({ version }) => String(version) === text)
  const [newest, previous] = versions
  const right = find(b) ?? newest
  const left = find(a) ?? (right === newest ? (previous ?? newest) : newest)
  if (!left || !right) return undefined
  return left.version <= right.version ? { a: left, b: right } : { a: right, b: left }
}
