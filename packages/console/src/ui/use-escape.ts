import { useEffect, useEffectEvent } from 'react'

/** Popups of Base UI. Escape closes such a popup alone. */
const OPEN_POPUPS = ['dialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-open], [data-open] [role="${role}"]`)
  .join(', ')

/** The open drawers and dialogs, the uppermost last. */
const layers: object[] = []

/** Calls `onEscape` for the key, if no popup and no later layer is open above this one. */
export function useEscape(onEscape: () => void): void {
  const close = useEffectEvent(onEscape)
  useEffect(() => {
    const layer = {}
    layers.push(layer)
    // Whether a popup is open must be known before it closes itself, so the question comes in the
    // capture phase.
    let isMine = false
    function look({ key }: KeyboardEvent) {
      if (key !== 'Escape') return
      isMine = layers.at(-1) === layer && document.querySelector(OPEN_POPUPS) === null
    }
    function closeByKey(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented || !isMine) return
      event.preventDefault()
      close()
    }
    document.addEventListener('keydown', look, true)
    document.addEventListener('keydown', closeByKey)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      document.removeEventListener('keydown', look, true)
      document.removeEventListener('keydown', closeByKey)
    }
  }, [])
}
