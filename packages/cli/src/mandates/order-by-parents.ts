import type { FoundMandate } from './find-mandates.ts'
import type { FileMistake } from './mistake.ts'

/** Puts parents before their children, and leaves the order of the files otherwise. */
export function orderByParents(found: readonly FoundMandate[]): {
  readonly ordered: readonly FoundMandate[]
  readonly mistakes: readonly FileMistake[]
} {
  const ordered: FoundMandate[] = []
  const mistakes: FileMistake[] = []
  const begun = new Set<FoundMandate>()

  function add(each: FoundMandate): void {
    if (ordered.includes(each)) return
    if (begun.has(each)) {
      const { file, lineOf } = each.file
      const message = 'is a child of this mandate, so it cannot be its parent'
      mistakes.push({ file, line: lineOf(['parent']), field: 'parent', message })
      return
    }
    begun.add(each)
    const parent = found.find(({ file }) => file === each.parent?.file)
    if (parent) add(parent)
    ordered.push(each)
  }

  for (const each of found) add(each)
  return { ordered, mistakes }
}
