import type { MethodName } from './method-names.ts'

/** Entries by the words of their names. */
export type Tree<Entry> = Map<string, Entry | Tree<Entry>>

/** Puts entries in a tree, in their order. */
export function buildTree<Entry extends { readonly name: MethodName }>(
  entries: readonly Entry[],
): Tree<Entry> {
  const root: Tree<Entry> = new Map()
  for (const entry of entries) {
    let group = root
    for (const word of entry.name.slice(0, -1)) {
      const inner = group.get(word)
      const next: Tree<Entry> = inner instanceof Map ? inner : new Map()
      group.set(word, next)
      group = next
    }
    group.set(entry.name.at(-1) ?? '', entry)
  }
  return root
}
