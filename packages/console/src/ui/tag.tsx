import type { ReactNode } from 'react'

/** A small word beside a thing, such as a category. */
export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex min-h-4.5 items-center rounded-1 bg-done-soft px-1.5 align-[1px] text-micro font-medium whitespace-nowrap text-ink-2">
      {children}
    </span>
  )
}
