import { useId } from 'react'

/** The mark: the cuff of a purser's sleeve. */
export function Mark({ className = '' }: { readonly className?: string }) {
  const id = useId()
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <clipPath id={id}>
        <rect width="32" height="32" rx="7.5" />
      </clipPath>
      <g clipPath={`url(#${id})`}>
        <rect width="32" height="32" fill="var(--brand-navy)" />
        <circle
          cx="16"
          cy="11.1"
          r="4.1"
          fill="none"
          stroke="var(--brand-brass)"
          strokeWidth="2.5"
        />
        <rect y="16.1" width="32" height="2.9" fill="var(--brand-brass)" />
        <rect y="20.4" width="32" height="1.9" fill="#fff" />
        <rect y="23.7" width="32" height="2.9" fill="var(--brand-brass)" />
      </g>
    </svg>
  )
}
