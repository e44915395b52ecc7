import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { buttonClass } from './button-classes.ts'
import { type FieldTexts, MaybeField, useField } from './field.tsx'
import { splitFieldTexts } from './field-texts.ts'
import { type FieldSize, frameClass } from './input-classes.ts'
import { later, preload, useLater } from './later.ts'
import type { SelectListProps } from './select-list.tsx'
import { useDelayed } from './use-delayed.ts'

export interface SelectProps<V extends string>
  extends FieldTexts,
    Omit<SelectListProps<V>, 'trigger' | 'children'> {
  placeholder?: string | undefined
  size?: FieldSize | undefined
  /** Looks like a button and is as wide as its words. */
  look?: 'field' | 'button' | undefined
  'aria-label'?: string | undefined
}

const list = later(() => import('./select-list.tsx'))

/** One of a list of choices. With a `label` it is a whole field. The code of the list loads later. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { texts, rest } = splitFieldTexts(props)
  return (
    <MaybeField {...texts}>
      <Control {...rest} />
    </MaybeField>
  )
}

const OPENING_KEYS = ['ArrowDown', 'ArrowUp']

function Control<V extends string>(props: Omit<SelectProps<V>, keyof FieldTexts>) {
  const { value, options, placeholder = 'Choose', size = 'md', look = 'field' } = props
  const field = useField()
  const { isChanged = false, ...wiring } = field ?? {}
  const [isWanted, setWanted] = useState(false)
  const part = useLater(list, isWanted)
  const isSlow = useDelayed(isWanted && part === undefined)
  const chosen = options.find((option) => option.value === value)
  const off = props.disabled === true
  const className =
    look === 'button'
      ? buttonClass({ variant: 'default', size, off })
      : `${frameClass({ size, invalid: field?.['aria-invalid'], changed: isChanged, off })} cursor-default text-left focus-visible:rounded-2`
  const inside = (
    <>
      {chosen?.icon}
      <span className={`min-w-0 flex-1 truncate ${chosen ? '' : 'text-ink-3'}`}>
        {chosen?.label ?? placeholder}
      </span>
      <ChevronDown aria-hidden="true" className="shrink-0 text-ink-3" size={14} />
    </>
  )
  const shared = { 'aria-label': props['aria-label'], ...wiring }
  if (part) {
    return (
      <part.SelectList {...props} trigger={{ ...shared, className }}>
        {inside}
      </part.SelectList>
    )
  }
  return (
    <button
      type="button"
      role="combobox"
      aria-expanded={isWanted}
      aria-haspopup="listbox"
      {...shared}
      className={isSlow ? `${className} cursor-progress opacity-60` : className}
      disabled={off}
      onClick={() => setWanted(true)}
      onFocus={() => preload(list)}
      onPointerEnter={() => preload(list)}
      onKeyDown={(event: KeyboardEvent) => {
        if (!OPENING_KEYS.includes(event.key)) return
        event.preventDefault()
        setWanted(true)
      }}
    >
      {inside}
    </button>
  )
}
