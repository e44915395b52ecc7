import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { POPUP_LAYER, POPUP_MOTION } from './popup-classes.ts'

export interface TooltipProps {
  content: ReactNode
  /** The element that the tooltip describes. It must take a ref and can have the focus. */
  children: ReactElement
  side?: 'top' | 'right' | 'bottom' | 'left' | undefined
  /** Keeps the tooltip while its element is pressed, for an element that explains why it is off. */
  stays?: boolean | undefined
  /** Milliseconds of hover before it opens. */
  delay?: number | undefined
}

/**
 * A short text on hover and focus. It only repeats or explains: the element must have its own
 * name, because a touch screen has neither hover nor focus.
 */
export function Tooltip({ content, children, side = 'top', stays = false, delay }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger closeOnClick={!stays} delay={delay ?? 400} render={children} />
      <Base.Portal>
        <Base.Positioner className={POPUP_LAYER} collisionPadding={8} side={side} sideOffset={6}>
          <Base.Popup
            className={`max-w-70 rounded-2 border border-line bg-raised px-2.5 py-1.5 text-small text-ink shadow-2 ${POPUP_MOTION}`}
          >
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
