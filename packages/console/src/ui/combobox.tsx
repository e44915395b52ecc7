import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ComboboxList, type ComboboxOption } from './combobox-list.tsx'
import { matches, movedOption } from './combobox-match.ts'
import { type FieldTexts, MaybeField, useField } from './field.tsx'
import { splitFieldTexts } from './field-texts.ts'
import { type FieldSize, frameClass, INPUT } from './input-classes.ts'

export type { ComboboxOption } from './combobox-list.tsx'

export interface ComboboxProps extends FieldTexts {
  value: string
  /** Gets the value of the chosen option, or with `freeText` the typed text. */
  onChange: (value: string) => void
  options: readonly ComboboxOption[]
  /** Whether something that is not in the list may be entered. */
  freeText?: boolean | undefined
  placeholder?: string | undefined
  size?: FieldSize | undefined
  /** The text of the list when no option fits. */
  emptyText?: string | undefined
  icon?: ReactNode
  disabled?: boolean | undefined
  'aria-label'?: string | undefined
}

/** A list that is found by typing. With a `label` it is a whole field. */
export function Combobox(props: ComboboxProps) {
  const { texts, rest } = splitFieldTexts(props)
  return (
    <MaybeField {...texts}>
      <Control {...rest} />
    </MaybeField>
  )
}

/**
 * The list stands in the page under the field, because the part of Base UI for this hides the rest
 * of the page from screen readers while the list is open.
 */
function Control(props: Omit<ComboboxProps, keyof FieldTexts>) {
  const { value, onChange, options, freeText = false, placeholder, size, icon, emptyText } = props
  const field = useField()
  const { isChanged = false, ...wiring } = field ?? {}
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const chosen = options.find((option) => option.value === value)
  const found = matches(options, typed ?? '')
  const lowest = freeText ? -1 : 0
  const hasList = isOpen && (found.length > 0 || !freeText)

  useEffect(() => {
    if (hasList && active >= 0) {
      document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' })
    }
  }, [hasList, active, listId])

  function close() {
    setOpen(false)
    setTyped(null)
    setActive(-1)
  }
  function open() {
    setOpen(true)
    setActive(freeText ? -1 : found.findIndex((option) => option.value === value))
  }
  function pick(option: ComboboxOption) {
    onChange(option.value)
    close()
  }
  function type(text: string) {
    setTyped(text)
    setOpen(true)
    setActive(lowest)
    if (freeText || text === '') onChange(text)
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    const moved = movedOption(event.key, active, found.length, freeText)
    if (moved !== null) {
      event.preventDefault()
      if (isOpen) setActive(moved)
      else open()
      return
    }
    if (!isOpen) return
    const option = found[active]
    if (event.key === 'Enter' && option) {
      event.preventDefault()
      pick(option)
    }
    if (event.key === 'Escape') {
      // The dialog or drawer around the field stays open.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }
  return (
    <span className="relative block min-w-0">
      <span
        className={frameClass({
          size,
          invalid: field?.['aria-invalid'],
          changed: isChanged,
          off: props.disabled,
        })}
      >
        {icon}
        <input
          {...wiring}
          aria-activedescendant={hasList && active >= 0 ? `${listId}-${active}` : undefined}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-expanded={hasList}
          aria-label={props['aria-label']}
          autoComplete="off"
          className={INPUT}
          disabled={props.disabled}
          onBlur={close}
          onChange={(event) => type(event.target.value)}
          onClick={() => (isOpen ? undefined : open())}
          onKeyDown={press}
          placeholder={placeholder}
          ref={input}
          role="combobox"
          spellCheck={false}
          value={typed ?? chosen?.label ?? (freeText ? value : '')}
        />
        {!freeText && (
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none shrink-0 text-ink-3"
            size={14}
          />
        )}
      </span>
      <ComboboxList
        active={active}
        emptyText={emptyText ?? 'Nothing fits.'}
        id={listId}
        onPick={pick}
        open={hasList}
        options={found}
        value={value}
      />
    </span>
  )
}
