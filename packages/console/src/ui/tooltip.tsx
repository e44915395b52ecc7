import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { hideTip, showTip, type Tip } from './tooltip-store.ts'

export interface TooltipProps {
  content: ReactNode
  /** The element that the tooltip describes. */
  children: ReactElement
  side?: Tip['side'] | undefined
  /** Keeps the tooltip while its element is pressed, for an element that explains why it is off. */
  stays?: boolean | undefined
  /** Milliseconds of hover before it opens. */
  delay?: number | undefined
}

interface Handlers {
  onPointerEnter?: (event: PointerEvent<Element>) => void
  onPointerLeave?: (event: PointerEvent<Element>) => void
  onPointerDown?: (event: PointerEvent<Element>) => void
  onFocus?: (event: FocusEvent<Element>) => void
  onBlur?: (event: FocusEvent<Element>) => void
}

/**
 * A short text on hover and focus. It only repeats or explains: the element must have its own
 * name, because a touch screen has neither hover nor focus. All tooltips share one layer
 * (tooltip-layer.tsx), so that a row with several of them costs nothing.
 */
export function Tooltip({
  content,
  children,
  side = 'top',
  stays = false,
  delay = 400,
}: TooltipProps) {
  const element = children as ReactElement<Handlers>
  const given = element.props
  return cloneElement(element, {
    onPointerEnter: (event) => {
      given.onPointerEnter?.(event)
      if (event.pointerType !== 'touch' && !hasPopup(event.currentTarget))
        showTip({ anchor: event.currentTarget, content, side }, delay)
    },
    onPointerLeave: (event) => {
      given.onPointerLeave?.(event)
      hideTip()
    },
    onPointerDown: (event) => {
      given.onPointerDown?.(event)
      if (stays) showTip({ anchor: event.currentTarget, content, side }, 0)
      else hideTip(0)
    },
    onFocus: (event) => {
      given.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) {
        showTip({ anchor: event.currentTarget, content, side }, 0)
      }
    },
    onBlur: (event) => {
      given.onBlur?.(event)
      hideTip(0)
    },
  })
}

/** The button of an open menu: the menu says enough. */
function hasPopup(element: Element): boolean {
  return element.getAttribute('aria-expanded') === 'true'
}
