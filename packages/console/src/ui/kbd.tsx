import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** One key of the keyboard. `onNavy` is for a key inside the primary button. */
export function Kbd({ children, onNavy = false }: { children: ReactNode; onNavy?: boolean }) {
  return (
    <kbd
      className={cx(
        'inline-flex h-4.5 min-w-4.5 shrink-0 items-center justify-center rounded-1 border border-b-2 px-1 font-sans text-micro leading-none font-[500] tracking-normal',
        onNavy
          ? 'border-on-navy/40 bg-transparent text-on-navy'
          : 'border-line-strong bg-sheet text-ink-2',
      )}
    >
      {children}
    </kbd>
  )
}
