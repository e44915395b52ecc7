import { Autocomplete as Base } from '@base-ui/react/autocomplete'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { type FieldTexts, MaybeField, useField } from './field.tsx'
import { splitFieldTexts } from './field-texts.ts'
import { type FieldSize, frameClass, INPUT } from './input-classes.ts'
import { LIST_ITEM, LIST_POPUP, POPUP_LAYER } from './popup-classes.ts'

export interface ComboboxOption {
  value: string
  label: string
  hint?: ReactNode
}

export interface ComboboxProps extends FieldTexts {
  value: string
  /** Gets the value of the chosen option, or with `freeText` what was typed. */
  onChange: (value: string) => void
  options: readonly ComboboxOption[]
  /** Whether something that is not in the list may be entered. */
  freeText?: boolean | undefined
  placeholder?: string | undefined
  size?: FieldSize | undefined
  /** What the list says when nothing fits. */
  emptyText?: string | undefined
  icon?: ReactNode
  disabled?: boolean | undefined
  'aria-label'?: string | undefined
}

/** A list that is found by typing. */
export function Combobox(props: ComboboxProps) {
  const { texts, rest } = splitFieldTexts(props)
  return (
    <MaybeField {...texts}>
      <Control {...rest} />
    </MaybeField>
  )
}

function Control(props: Omit<ComboboxProps, keyof FieldTexts>) {
  const { value, onChange, options, freeText = false, placeholder, size, icon } = props
  const field = useField()
  const { isChanged = false, ...wiring } = field ?? {}
  const chosenLabel =
    options.find((option) => option.value === value)?.label ?? (freeText ? value : '')
  // While a person types, the text is not the label of any option yet.
  const [typed, setTyped] = useState<string | null>(null)
  function type(text: string, reason: string) {
    const picked = options.find((option) => option.label === text)
    if (reason === 'item-press' && picked) {
      setTyped(null)
      onChange(picked.value)
      return
    }
    setTyped(text)
    if (freeText) onChange(picked?.value ?? text)
    else if (text === '') onChange('')
    else if (picked) onChange(picked.value)
  }
  return (
    <Base.Root
      autoHighlight={!freeText}
      disabled={props.disabled === true}
      items={options}
      itemToStringValue={(option: ComboboxOption) => option.label}
      onValueChange={(text, details) => type(text, details.reason)}
      openOnInputClick
      value={typed ?? chosenLabel}
    >
      <span
        className={frameClass({
          size,
          invalid: field?.['aria-invalid'],
          changed: isChanged,
          off: props.disabled,
        })}
      >
        {icon}
        <Base.Input
          aria-label={props['aria-label']}
          className={INPUT}
          onBlur={() => setTyped(null)}
          placeholder={placeholder}
          {...wiring}
        />
      </span>
      <Base.Portal>
        <Base.Positioner className={POPUP_LAYER} collisionPadding={8} sideOffset={6}>
          <Base.Popup className={`${LIST_POPUP} min-w-(--anchor-width) empty:hidden`}>
            <Base.Empty>
              <span className="block px-2 py-1.5 text-ink-3 empty:hidden">
                {props.emptyText ?? (freeText ? '' : 'Nothing fits.')}
              </span>
            </Base.Empty>
            <Base.List>
              {(option: ComboboxOption) => (
                <Base.Item className={LIST_ITEM} key={option.value} value={option}>
                  <span className="min-w-0">
                    {option.label}
                    {option.hint !== undefined && (
                      <span className="block text-small text-ink-3">{option.hint}</span>
                    )}
                  </span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
