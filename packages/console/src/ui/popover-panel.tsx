import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { POPUP_LAYER, POPUP_MOTION } from './popup-classes.ts'
import { ShownGuards } from './shown-guards.tsx'

export interface PopoverProps {
  trigger: ReactElement
  /** The name of the popup. */
  label: string
  children: ReactNode
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  align?: 'start' | 'center' | 'end' | undefined
}

type PanelProps = PopoverProps & { open: boolean; onOpenChange: (open: boolean) => void }

export function PopoverPanel({
  trigger,
  label,
  children,
  open,
  onOpenChange,
  align = 'start',
}: PanelProps) {
  return (
    <Base.Root onOpenChange={(next) => onOpenChange(next)} open={open}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} className={POPUP_LAYER} collisionPadding={8} sideOffset={6}>
          <Base.Popup
            aria-label={label}
            className={`max-h-(--available-height) w-70 max-w-(--available-width) overflow-y-auto rounded-3 border border-line bg-raised p-3 text-ink shadow-2 outline-none ${POPUP_MOTION}`}
          >
            <ShownGuards />
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
