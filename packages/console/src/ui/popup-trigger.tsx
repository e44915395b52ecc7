import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement } from 'react'
import { type Later, preload } from './later.ts'
import { useDelayed } from './use-delayed.ts'

interface PopupTriggerProps {
  /** The button that opens the popup. */
  trigger: ReactElement
  kind: 'menu' | 'dialog'
  /** The code of the popup. It loads when the pointer or the focus comes near. */
  part: Later<unknown>
  /** The button was pressed, and the code is not here yet. */
  isWaiting: boolean
  onOpen: () => void
}

/**
 * The button of a popup that was not opened yet. It needs no code of Base UI, so a page with many of
 * them stays light. While the code loads, the button keeps the focus and is dimmed.
 */
export function PopupTrigger({ trigger, kind, part, isWaiting, onOpen }: PopupTriggerProps) {
  const isSlow = useDelayed(isWaiting)
  function open(event: MouseEvent | KeyboardEvent) {
    // A locked button takes its press back.
    if (event.defaultPrevented) return
    event.preventDefault()
    onOpen()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the press belongs to the button inside
    <span
      aria-busy={isWaiting || undefined}
      className={isSlow ? 'contents *:cursor-progress *:opacity-60' : 'contents'}
      onClick={open}
      onFocus={() => preload(part)}
      onKeyDown={(event) => {
        const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
        if (kind === 'menu' && isArrow) open(event)
      }}
      onPointerEnter={() => preload(part)}
    >
      {cloneElement(
        trigger as ReactElement<object>,
        { 'aria-haspopup': kind, 'aria-expanded': isWaiting } as object,
      )}
    </span>
  )
}
