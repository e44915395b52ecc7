import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { buttonClass } from './button-classes.ts'
import { type FieldTexts, MaybeField, useField } from './field.tsx'
import { splitFieldTexts } from './field-texts.ts'
import { type FieldSize, frameClass } from './input-classes.ts'
import { LIST_ITEM, LIST_POPUP, POPUP_LAYER, portalLandmark } from './popup-classes.ts'
import { ShownGuards } from './shown-guards.tsx'

export interface SelectOption<V extends string> {
  value: V
  label: string
  hint?: ReactNode
  icon?: ReactNode
  disabled?: boolean | undefined
}

export interface SelectProps<V extends string> extends FieldTexts {
  value: V | null
  onChange: (value: V) => void
  options: readonly SelectOption<V>[]
  placeholder?: string | undefined
  size?: FieldSize | undefined
  /** Looks like a button and is as wide as its words. */
  look?: 'field' | 'button' | undefined
  disabled?: boolean | undefined
  name?: string | undefined
  'aria-label'?: string | undefined
}

/** One of a list of choices. With a `label` it is a whole field. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { texts, rest } = splitFieldTexts(props)
  return (
    <MaybeField {...texts}>
      <Control {...rest} />
    </MaybeField>
  )
}

function Control<V extends string>(props: Omit<SelectProps<V>, keyof FieldTexts>) {
  const { value, onChange, options, placeholder = 'Choose', size = 'md', look = 'field' } = props
  const field = useField()
  const { isChanged = false, ...wiring } = field ?? {}
  const chosen = options.find((option) => option.value === value)
  const off = props.disabled === true
  const [isOpen, setOpen] = useState(false)
  const className =
    look === 'button'
      ? buttonClass({ variant: 'default', size, off })
      : `${frameClass({ size, invalid: field?.['aria-invalid'], changed: isChanged, off })} cursor-default text-left focus-visible:rounded-2`
  return (
    <Base.Root
      disabled={off}
      items={options}
      name={props.name}
      onOpenChange={setOpen}
      onValueChange={(next) => next !== null && onChange(next as V)}
      value={value}
    >
      <Base.Trigger aria-label={props['aria-label']} className={className} {...wiring}>
        {chosen?.icon}
        <Base.Value
          className={`min-w-0 flex-1 truncate ${chosen ? '' : 'text-ink-3'}`}
          placeholder={placeholder}
        />
        <Base.Icon className="shrink-0 text-ink-3">
          <ChevronDown aria-hidden="true" size={14} />
        </Base.Icon>
      </Base.Trigger>
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
