import { Plus, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { cx } from './cx.ts'
import { Popover } from './popover.tsx'

export interface FilterChipProps {
  /** The name of the filter: "Agent". */
  label: string
  /** The chosen value, shown when the filter is on. */
  value?: ReactNode
  on: boolean
  onRemove?: (() => void) | undefined
  icon?: ReactNode
  /** The editor in the popup. A function gets a way to close it. */
  children?: ReactNode | ((close: () => void) => ReactNode)
  /** Open by the page, for example by a key. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
}

const CHIP =
  'inline-flex min-h-7 items-stretch rounded-full border text-small whitespace-nowrap pointer-coarse:min-h-11'

/** A filter of a list: dashed while it is off, filled with its value when it is on. */
export function FilterChip(props: FilterChipProps) {
  const { label, on, onRemove, children } = props
  const [ownOpen, setOwnOpen] = useState(false)
  const isOpen = props.open ?? ownOpen
  function setOpen(open: boolean) {
    setOwnOpen(open)
    props.onOpenChange?.(open)
  }
  const trigger = <Trigger {...props} />
  return (
    <span
      className={cx(
        CHIP,
        on
          ? 'border-accent-line bg-accent-soft text-ink'
          : 'border-dashed border-line-strong text-ink-2 hover:border-line-control hover:text-ink',
      )}
    >
      {children === undefined ? (
        trigger
      ) : (
        <Popover label={label} onOpenChange={setOpen} open={isOpen} trigger={trigger}>
          {typeof children === 'function' ? children(() => setOpen(false)) : children}
        </Popover>
      )}
      {on && onRemove && (
        <button
          aria-label={`Remove the filter ${label}`}
          className="inline-grid min-w-6 place-items-center rounded-full pr-1 text-ink-3 hover:text-ink focus-visible:rounded-full pointer-coarse:min-w-10"
          onClick={onRemove}
          type="button"
        >
          <X aria-hidden="true" size={12} />
        </button>
      )}
    </span>
  )
}

/** Popover hands the button its ref and its handlers. */
function Trigger(props: FilterChipProps & Omit<ComponentProps<'button'>, keyof FilterChipProps>) {
  const { label, value, on, onRemove, icon, open, onOpenChange, children, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        'inline-flex max-w-60 items-center gap-1.25 rounded-full pl-2.25 focus-visible:rounded-full',
        on && onRemove ? 'pr-1' : 'pr-2.25',
      )}
    >
      <span aria-hidden="true" className="text-ink-3">
        {icon ?? (on ? null : <Plus size={12} />)}
      </span>
      {on && value !== undefined ? (
        <span className="min-w-0 truncate">
          {label}: <b>{value}</b>
        </span>
      ) : (
        <span className={on ? 'font-strong' : undefined}>{label}</span>
      )}
    </button>
  )
}
