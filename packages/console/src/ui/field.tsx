import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useId, useMemo } from 'react'
import { cx } from './cx.ts'

/** The attributes that tie a control to its label, its help and its error. */
export interface FieldControl {
  id: string
  'aria-labelledby': string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
  isChanged: boolean
}

const FieldContext = createContext<FieldControl | undefined>(undefined)

/** The Field around a control, if there is one. */
export function useField(): FieldControl | undefined {
  return use(FieldContext)
}

export interface FieldTexts {
  label?: ReactNode
  help?: ReactNode
  /** Why the value is refused. The field is marked. */
  error?: ReactNode
  /** The earlier value: "was 250.00 in version 4". The field is marked as changed. */
  was?: ReactNode
  required?: boolean | undefined
  /** Beside the label: "optional". */
  note?: ReactNode
  /** The label is for screen readers only. */
  hideLabel?: boolean | undefined
}

export interface FieldProps extends FieldTexts {
  children?: ReactNode
  /** For a control that does not look for its Field itself. */
  render?: ((control: FieldControl) => ReactNode) | undefined
  /** A group of controls, such as radio buttons: its label is not for one control. */
  group?: boolean | undefined
  className?: string | undefined
}

/** A label, a control, help and an error, tied together for screen readers. */
export function Field(props: FieldProps) {
  const { label, help, error, was, note, required = false, hideLabel = false } = props
  const { children, render, group = false, className } = props
  const id = useId()
  const hasError = isGiven(error)
  const hasHelp = isGiven(help)
  const hasWas = isGiven(was)
  const control = useMemo<FieldControl>(() => {
    const parts = [hasError && `${id}-error`, hasHelp && `${id}-help`, hasWas && `${id}-was`]
    return {
      id: `${id}-control`,
      'aria-labelledby': `${id}-label`,
      'aria-describedby': parts.filter(Boolean).join(' ') || undefined,
      'aria-invalid': hasError || undefined,
      'aria-required': required || undefined,
      isChanged: hasWas,
    }
  }, [id, hasError, hasHelp, hasWas, required])
  const labelClass = hideLabel ? 'sr-only' : 'mb-1.25 flex items-baseline gap-2 font-medium'
  const name = (
    <>
      {label}
      {note !== undefined && <span className="text-small font-regular text-ink-3">{note}</span>}
    </>
  )
  return (
    <div
      className={cx('min-w-0', className)}
      {...(group ? { role: 'group', 'aria-labelledby': `${id}-label` } : {})}
    >
      {group ? (
        <div className={labelClass} id={`${id}-label`}>
          {name}
        </div>
      ) : (
        <label className={labelClass} htmlFor={control.id} id={`${id}-label`}>
          {name}
        </label>
      )}
      <FieldContext value={control}>{render ? render(control) : children}</FieldContext>
      {hasError && (
        <div className="mt-1.25 flex gap-1.25 text-small text-no" id={`${id}-error`}>
          <CircleAlert aria-hidden="true" className="mt-px shrink-0" size={13} />
          <span>{error}</span>
        </div>
      )}
      {hasHelp && (
        <div className="mt-1.25 text-small text-ink-3" data-prose="" id={`${id}-help`}>
          {help}
        </div>
      )}
      {hasWas && (
        <div className="mt-1 text-small text-accent" id={`${id}-was`}>
          {was}
        </div>
      )}
    </div>
  )
}

function isGiven(node: ReactNode): boolean {
  return node !== undefined && node !== null && node !== false && node !== ''
}

export interface MaybeFieldProps extends FieldTexts {
  children: ReactNode
}

/** Puts a Field around a control that was given a label of its own. */
export function MaybeField({ children, ...texts }: MaybeFieldProps) {
  if (texts.label === undefined) return children
  return <Field {...texts}>{children}</Field>
}
