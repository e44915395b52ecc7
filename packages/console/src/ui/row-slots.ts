import { type RefObject, useMemo, useRef } from 'react'

/** Which slot each row in view has, by the key of the row. */
type Slots = ReadonlyMap<string, number>

/**
 * Gives each row in view a slot, in the order of the rows. A row keeps its slot while it is in view.
 * After a jump, when no row stayed in view, the new rows take over the slots of the old ones: the
 * elements of a slot are changed then, which costs a fraction of making them.
 */
export function assignSlots(before: Slots, keys: readonly string[], mayReuse: boolean): Slots {
  const isJump = !keys.some((key) => before.has(key))
  const free = mayReuse && isJump ? [...before.values()].toReversed() : []
  let next = Math.max(-1, ...before.values()) + 1
  return new Map(keys.map((key) => [key, before.get(key) ?? free.pop() ?? next++]))
}

/** The slots of the rows in view. Undefined if rows are not reused. */
export function useRowSlots(
  keys: readonly string[],
  scroller: RefObject<HTMLElement | null>,
  isOn: boolean,
): Slots | undefined {
  const last = useRef<Slots>(new Map())
  return useMemo(() => {
    if (!isOn) return undefined
    last.current = assignSlots(last.current, keys, !isInUse(scroller.current))
    return last.current
  }, [keys, scroller, isOn])
}

/** The focus and a selection belong to a row. They must not pass to the row that takes its slot. */
function isInUse(element: HTMLElement | null): boolean {
  const body = element?.querySelector('tbody')
  if (!body) return false
  const selection = window.getSelection()
  const isSelected = selection?.type === 'Range' && body.contains(selection.anchorNode)
  return isSelected || body.contains(document.activeElement)
}
