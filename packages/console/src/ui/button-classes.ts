import { cx } from './cx.ts'

export type ButtonVariant = 'default' | 'primary' | 'danger' | 'danger-solid' | 'quiet'
export type ButtonSize = 'sm' | 'md' | 'lg'

const BASE =
  'relative inline-flex shrink-0 cursor-default select-none items-center justify-center gap-1.5 rounded-2 border font-medium whitespace-nowrap no-underline transition-colors duration-(--m-fast) hover:no-underline focus-visible:rounded-2'

const VARIANT: Record<ButtonVariant, string> = {
  default: 'border-line-strong bg-raised text-ink shadow-1 hover:border-line-control',
  primary:
    'border-navy bg-navy text-on-navy shadow-1 hover:border-navy-hover hover:bg-navy-hover hover:text-on-navy',
  danger: 'border-no-line bg-raised text-no shadow-1 hover:border-no-fill',
  'danger-solid':
    'border-no bg-no text-sheet shadow-1 hover:border-no hover:bg-[color-mix(in_srgb,var(--no),var(--ink)_14%)] hover:text-sheet',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink',
}

const SIZE: Record<ButtonSize, string> = {
  sm: 'min-h-6.5 text-small pointer-coarse:min-h-11',
  md: 'min-h-(--control) text-body',
  lg: 'min-h-10 text-read pointer-coarse:min-h-11',
}

const PADDING: Record<ButtonSize, string> = { sm: 'px-2.25', md: 'px-3', lg: 'px-4.5' }

const SQUARE: Record<ButtonSize, string> = {
  sm: 'w-6.5 pointer-coarse:w-11',
  md: 'w-(--control)',
  lg: 'w-10 pointer-coarse:w-11',
}

/** The look of a button that cannot be pressed. Its text is exempt from the contrast rule. */
const OFF =
  'border-line-strong bg-raised text-ink-off shadow-none forced-colors:border-[GrayText] forced-colors:text-[GrayText]'
const OFF_QUIET = 'border-transparent bg-transparent text-ink-off forced-colors:text-[GrayText]'

interface Look {
  variant: ButtonVariant
  size: ButtonSize
  off: boolean
  square?: boolean
  className?: string | undefined
}

export function buttonClass({ variant, size, off, square = false, className }: Look): string {
  const quiet = variant === 'quiet'
  const padding = quiet ? 'px-2' : PADDING[size]
  return cx(
    BASE,
    off ? (quiet ? OFF_QUIET : OFF) : VARIANT[variant],
    SIZE[size],
    square ? `${SQUARE[size]} p-0` : padding,
    className,
  )
}
