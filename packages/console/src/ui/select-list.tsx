import { Select as Base } from '@base-ui/react/select'
import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { LIST_ITEM, LIST_POPUP, POPUP_LAYER, portalLandmark } from './popup-classes.ts'
import { ShownGuards } from './shown-guards.tsx'

export interface SelectOption<V extends string> {
  value: V
  label: string
  hint?: ReactNode
  icon?: ReactNode
  disabled?: boolean | undefined
}

export interface SelectListProps<V extends string> {
  value: V | null
  onChange: (value: V) => void
  options: readonly SelectOption<V>[]
  disabled?: boolean | undefined
  /** The attributes of the button. */
  trigger: ComponentProps<typeof Base.Trigger>
  /** The content of the button. */
  children: ReactNode
}

/** The button and its list. The list opens as it comes, because its code loads after the press. */
export function SelectList<V extends string>(props: SelectListProps<V>) {
  const { value, onChange, options, disabled = false, trigger, children } = props
  const [isOpen, setOpen] = useState(true)
  return (
    <Base.Root
      disabled={disabled}
      items={options}
      onOpenChange={setOpen}
      onValueChange={(next) => next !== null && onChange(next as V)}
      open={isOpen}
      value={value}
    >
      <Base.Trigger {...trigger}>{children}</Base.Trigger>
      {/* A list that was open once stays in the page, but then it is no landmark. */}
      <Base.Portal {...(isOpen ? portalLandmark('Choices') : {})}>
        <Base.Positioner
          alignItemWithTrigger={false}
          className={POPUP_LAYER}
          collisionPadding={8}
          sideOffset={4}
        >
          <Base.Popup className={`${LIST_POPUP} min-w-(--anchor-width)`}>
            {isOpen && <ShownGuards />}
            {options.map((option) => (
              <Base.Item
                className={LIST_ITEM}
                disabled={option.disabled === true}
                key={option.value}
                value={option.value}
              >
                <span className="w-3.5 shrink-0 text-accent">
                  <Base.ItemIndicator>
                    <Check aria-hidden="true" size={14} strokeWidth={2} />
                  </Base.ItemIndicator>
                </span>
                {option.icon}
                <span className="min-w-0">
                  <Base.ItemText>{option.label}</Base.ItemText>
                  {option.hint !== undefined && (
                    <span className="block text-small text-ink-3">{option.hint}</span>
                  )}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
