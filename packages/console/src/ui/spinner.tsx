import { cx } from './cx.ts'

/** A turning ring. It says nothing to a screen reader: the part that is busy says so itself. */
export function Spinner({ size = 14, className }: { size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={cx('shrink-0 animate-spin motion-reduce:animate-none', className)}
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeWidth="2"
      viewBox="0 0 16 16"
      width={size}
    >
      <circle cx="8" cy="8" opacity=".25" r="6.2" />
      <path d="M8 1.8a6.2 6.2 0 0 1 6.2 6.2" />
    </svg>
  )
}
