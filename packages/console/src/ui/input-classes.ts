import { cx } from './cx.ts'

export type FieldSize = 'sm' | 'md' | 'lg'

const SIZE: Record<FieldSize, string> = {
  sm: 'min-h-7 text-small pointer-coarse:min-h-11',
  md: 'min-h-(--control)',
  lg: 'min-h-10 text-read pointer-coarse:min-h-11',
}

interface Look {
  size?: FieldSize | undefined
  invalid?: boolean | undefined
  changed?: boolean | undefined
  off?: boolean | undefined
}

/** The frame of a field. The control inside it has no frame of its own. */
export function frameClass({ size = 'md', invalid, changed, off }: Look): string {
  return cx(
    'flex w-full min-w-0 items-center gap-2 rounded-2 border bg-raised px-2.5 text-ink outline-focus focus-within:outline-2 focus-within:outline-offset-1 forced-colors:focus-within:outline-[Highlight]',
    SIZE[size],
    invalid
      ? 'border-no'
      : changed
        ? 'border-accent shadow-[inset_3px_0_0_var(--accent)]'
        : 'border-line-control',
    off && 'border-line-strong bg-well text-ink-off',
  )
}

/** The control inside a frame. */
export const INPUT =
  'min-w-0 flex-1 self-stretch border-0 bg-transparent p-0 outline-none focus-visible:outline-none disabled:text-ink-off'

/** A unit behind a number. */
export const UNIT = 'shrink-0 text-micro font-[450] tracking-[0.02em] text-ink-3'
