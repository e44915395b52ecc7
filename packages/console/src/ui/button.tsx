import { Lock } from 'lucide-react'
import {
  type ComponentProps,
  type HTMLAttributes,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useId,
} from 'react'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-classes.ts'
import { Kbd } from './kbd.tsx'
import { linkElement } from './link-element.tsx'
import { Spinner } from './spinner.tsx'
import { Tooltip } from './tooltip.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  icon?: ReactNode
  /** The action runs: the label and the width stay, a spinner takes the place of the icon. */
  busy?: boolean | undefined
  /** Keys that do the same, shown behind the label. */
  kbd?: readonly string[] | undefined
  /** Names who may do this, or the missing thing. The button keeps the focus and says it. */
  disabledReason?: string | undefined
  /** Renders a link with the look of a button. */
  href?: string | undefined
  /** Renders this element, for example a link of the router, with the look of a button. */
  render?: ReactElement | undefined
  /** A square without label: IconButton sets it. */
  square?: boolean | undefined
}

export function Button(props: ButtonProps) {
  const { variant = 'default', size = 'md', icon, busy = false, kbd, square = false } = props
  const { disabledReason, href, render, className, children, ref, onClick, disabled, ...rest } =
    withoutOwn(props)
  const reasonId = useId()
  const isLocked = disabledReason !== undefined
  const isLink = href !== undefined || render !== undefined
  const isOff = isLocked || disabled === true
  const describedBy = [rest['aria-describedby'], isLocked && reasonId].filter(Boolean).join(' ')

  function press(event: MouseEvent<HTMLButtonElement>) {
    // A pressed submit button sends its form, so the default must go as well.
    if (busy || isOff) event.preventDefault()
    else onClick?.(event)
  }

  const inside = (
    <Inside {...{ size, icon, busy, kbd, children, square, onNavy: variant === 'primary' }} />
  )
  const shared = {
    ...rest,
    ref,
    className: buttonClass({ variant, size, off: isOff, square, className }),
    onClick: press,
    'aria-disabled': isLocked || busy || undefined,
    'aria-busy': busy || undefined,
    'aria-describedby': describedBy || undefined,
  }
  const element = isLink ? (
    linkElement(render, href, inside, shared as HTMLAttributes<HTMLElement>)
  ) : (
    <button type="button" {...shared} disabled={disabled === true && !isLocked}>
      {inside}
    </button>
  )
  if (!isLocked) return element
  return (
    <>
      <Tooltip content={<Reason>{disabledReason}</Reason>} stays>
        {element}
      </Tooltip>
      <span hidden id={reasonId}>
        {disabledReason}
      </span>
    </>
  )
}

function withoutOwn({ variant, size, icon, busy, kbd, square, ...rest }: ButtonProps) {
  return rest
}

function Reason({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-1.5">
      <Lock aria-hidden="true" className="mt-0.5 shrink-0 text-ink-3" size={12} />
      <span>{children}</span>
    </span>
  )
}

/** Margins that add up to the spinner and its gap: the content is as wide as the label alone. */
const SQUEEZE = ['-ml-2 -mr-0.5', '-mr-2', 12] as const
const SQUEEZE_SMALL = ['-ml-1.5 -mr-1', '-mr-1.5', 10] as const

interface InsideProps {
  size: ButtonSize
  icon: ReactNode
  busy: boolean
  kbd: readonly string[] | undefined
  children: ReactNode
  square: boolean
  onNavy: boolean
}

function Inside({ size, icon, busy, kbd, children, square, onNavy }: InsideProps) {
  if (square) return busy ? <Spinner /> : icon
  // Without an icon the spinner takes its room from the padding, so the width stays.
  const squeezes = busy && !icon
  const [atSpinner, atLabel, spinnerSize] = size === 'sm' ? SQUEEZE_SMALL : SQUEEZE
  return (
    <>
      {busy ? (
        <Spinner className={squeezes ? atSpinner : ''} size={squeezes ? spinnerSize : 14} />
      ) : (
        icon
      )}
      <span className={squeezes ? atLabel : undefined}>{children}</span>
      {kbd && (
        <span aria-hidden="true" className="ml-0.5 hidden gap-1 tablet:inline-flex">
          {kbd.map((key) => (
            <Kbd key={key} onNavy={onNavy}>
              {key}
            </Kbd>
          ))}
        </span>
      )}
    </>
  )
}
